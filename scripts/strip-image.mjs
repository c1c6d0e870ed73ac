// `node scripts/strip-image.mjs`, in the stages of docker/Dockerfile alone: removes files of this folder that no program in an
// image reads. These are source maps, and TypeScript in node_modules: Node refuses to run it there, and it is more than half of the files.
import { readdirSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE_MAP = /\.map$/;
const SOURCE_MAP_OR_TYPESCRIPT = /\.(map|[cm]?ts|tsx)$/;

let removedBytes = 0;

function strip(folder, unwanted) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) strip(path, entry.name === 'node_modules' ? SOURCE_MAP_OR_TYPESCRIPT : unwanted);
    else if (entry.isFile() && unwanted.test(entry.name)) {
      removedBytes += statSync(path).size;
      rmSync(path);
    }
  }
  if (folder !== '.' && readdirSync(folder).length === 0) rmdirSync(folder);
}

strip('.', SOURCE_MAP);
console.log(`Removed ${Math.round(removedBytes / 1e6)} MB of source maps and types.`);
