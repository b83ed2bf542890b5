// Files in and out: dropped on the page, chosen, downloaded.

export function chooseFile(taken: (file: File) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".bvh,.fbx,.glb,.gltf,.vrm,.vrma,.usd,.usda,.usdc,.npz,.amc,.csv,.toml,.json,.obj,.stl,.ply";
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) taken(file);
  });
  input.click();
}

export function takeDrops(taken: (file: File) => void): void {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer?.files ?? []) taken(file);
  });
}

const MOST_BYTES = 64 * 1024 * 1024;

export async function upload(file: File): Promise<void> {
  if (file.size > MOST_BYTES)
    throw new Error(`${file.name} is ${(file.size / 2 ** 20).toFixed(0)} MB; the studio takes up to ${MOST_BYTES / 2 ** 20} MB`);
  const answer = await fetch(`import?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
  if (!answer.ok) throw new Error(await fault(answer));
}

export async function download(kind: string): Promise<string> {
  const answer = await fetch(`export/${kind}`);
  if (!answer.ok) throw new Error(await fault(answer));
  const named = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
  const name = named ? decodeURIComponent(named) : `studio.${kind}`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return name;
}

async function fault(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return (JSON.parse(text) as { error?: string }).error ?? text;
  } catch {
    return text;
  }
}
