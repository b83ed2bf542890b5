// Prints what the Khronos validator says about each file given: a JSON array of {errors, warnings, infos, messages}.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import validator from "gltf-validator";

const reports = [];
for (const path of process.argv.slice(2)) {
  const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
    uri: path,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))),
  });
  reports.push({
    errors: issues.numErrors,
    warnings: issues.numWarnings,
    infos: issues.numInfos,
    messages: issues.messages.slice(0, 20).map((m) => `${m.severity} ${m.code} ${m.pointer ?? ""}: ${m.message}`),
  });
}
console.log(JSON.stringify(reports));
