import { defineConfig } from "vite";

// The build is committed with the package: names without hashes keep its history readable, and nothing is inlined
// that the server's content policy would refuse.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../src/understudy/studio/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: "studio.js", chunkFileNames: "[name].js", assetFileNames: "[name][extname]" },
    },
  },
});
