/** Changes the bundle makes to its packages. A change that no longer fits fails the build. */
import {readFile} from 'node:fs/promises';
import {isBuiltin} from 'node:module';
import {basename, dirname, extname, join, relative, sep} from 'node:path';

/** An import as the bundler prints it: default, namespace, names, or none of them. */
const builtinImport =
	/^import (?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+))?(?:\{([^}]*)\})?(?: from )?"([^".][^"]*)";$/gm;

/**
 * Loads Node's own modules without `import`, which builds a facade that reads every export:
 * `node:http` loads undici on Node 24, `node:process` opens stdin, and each takes a turn of the
 * module loader. For builds that keep their files in memory.
 */
export const builtinsWithoutFacade = {
	name: 'builtins-without-facade',
	setup(build) {
		build.onEnd(({outputFiles = []}) => {
			const scripts = outputFiles.filter(({path}) => path.endsWith('.js'));
			for (const script of scripts) {
				const text = script.text.replaceAll(builtinImport, takeBuiltin);
				if (/^(?:import [^"(\n]*|\} from )"[^.]/m.test(text)) {
					return {errors: [{text: `${script.path} has an import that is not in the bundle`}]};
				}
				script.contents = Buffer.from(text);
			}
			return undefined;
		});
	},
};

function takeBuiltin(statement, whole, namespace, names, path) {
	if (!isBuiltin(path)) return statement;
	const places = [whole, namespace].filter((name) => name !== undefined);
	if (names !== undefined) places.push(`{${names.replaceAll(' as ', ': ')}}`);
	const found = `globalThis.process.getBuiltinModule("${path}")`;
	return places.map((place) => `const ${place} = ${found};`).join(' ');
}

/**
 * Keeps Yoga from decoding its inline WASM with `fetch`. The first `fetch` of a process loads
 * undici: 36 ms of CPU for a string that is already in memory.
 */
export const yogaWithoutFetch = {
	name: 'yoga-without-fetch',
	setup(build) {
		build.onLoad({filter: /yoga-wasm-base64-esm\.js$/}, async ({path}) => {
			const source = await readFile(path, 'utf8');
			const contents = source.replaceAll('"function"!=typeof fetch', 'true');
			if (contents === source) return {errors: [{text: `${path} no longer uses fetch`}]};
			return {contents, loader: 'js'};
		});
	},
};

/** Ink connects to React's developer tools if they are installed. A bundle never has them. */
export const withoutDevtools = {
	name: 'without-devtools',
	setup(build) {
		build.onResolve({filter: /^react-devtools-core$/}, ({path}) => ({path, namespace: 'stub'}));
		build.onLoad({filter: /.*/, namespace: 'stub'}, () => ({
			contents: 'export default {initialize() {}, connectToDevTools() {}};',
		}));
	},
};

/** Commander can start programs as subcommands. `chat` never does, so the module is not loaded. */
export const withoutChildProcess = {
	name: 'without-child-process',
	setup(build) {
		build.onResolve({filter: /^node:child_process$/}, ({path, importer}) =>
			/[\\/]commander[\\/]/.test(importer) ? {path, namespace: 'no-child-process'} : undefined,
		);
		build.onLoad({filter: /.*/, namespace: 'no-child-process'}, () => ({
			contents: 'export default {};',
		}));
	},
};

/** Unused parts of the Model Context Protocol SDK, and their stand-ins. */
const unusedPartsOfSdk = {
	// The SDK bundles its own copy of ajv, a third of its size; `chat` gives it a validator.
	'@modelcontextprotocol/client/_shims':
		'export const CORS_IS_POSSIBLE = false; export class DefaultJsonSchemaValidator {}',
	// Code for signed logins.
	jose: 'export {};',
};

export const withoutPartsOfSdk = {
	name: 'without-parts-of-sdk',
	setup(build) {
		const namespace = 'unused-part-of-sdk';
		const replaced = new Set();
		build.onResolve({filter: /^(?:@modelcontextprotocol\/client\/_shims|jose)$/}, ({path}) => ({
			path,
			namespace,
		}));
		build.onLoad({filter: /.*/, namespace}, ({path}) => {
			replaced.add(path);
			return {contents: unusedPartsOfSdk[path]};
		});
		build.onEnd(({metafile}) => {
			const files = Object.keys(metafile?.inputs ?? {});
			if (!files.some((file) => file.includes('@modelcontextprotocol/client/dist/')))
				return undefined;
			const missing = Object.keys(unusedPartsOfSdk).filter((path) => !replaced.has(path));
			const validator = files.filter((file) => file.includes('ajvProvider'));
			const problems = [
				...missing.map((path) => `the SDK no longer imports ${path}`),
				...validator.map((file) => `${file} is in the bundle`),
			];
			return {errors: problems.map((text) => ({text}))};
		});
	},
};

/**
 * Gathers the modules of most runs into few files, because each file costs a turn of the module
 * loader.
 *
 * A chunk holds the modules that the same entries need, and each dynamic import is an entry. So
 * every entry imports all of the cores, which are already loaded by then.
 *
 * @param cores paths from the root, in the order in which a run needs them; the first is the entry
 * point
 */
export function gatherCores(cores) {
	return {
		name: 'gather-cores',
		setup(build) {
			const {absWorkingDir: root} = build.initialOptions;
			let neededBy = new Map();
			build.onStart(async () => {
				neededBy = chooseCores(await readGraph(build), cores);
			});
			build.onLoad({filter: /[\\/]src[\\/].*\.tsx?$/}, async ({path}) => {
				const needed = neededBy.get(relative(root, path).replaceAll(sep, '/')) ?? [];
				if (needed.length === 0) return undefined;
				const imports = needed.map((core) => `import ${JSON.stringify(join(root, core))};\n`);
				const source = await readFile(path, 'utf8');
				return {contents: imports.join('') + source, loader: extname(path).slice(1)};
			});
		},
	};
}

/** Reads the imports within `src/`; none if the sources do not compile. */
async function readGraph({esbuild, initialOptions}) {
	const changes = {plugins: [], packages: 'external', metafile: true, logLevel: 'silent'};
	const result = await esbuild.build({...initialOptions, ...changes}).catch(() => undefined);
	return result?.metafile ?? {inputs: {}, outputs: {}};
}

/**
 * Chooses the cores that each entry imports: those with a file it needs. An entry inside a core
 * imports only those before it: a core must not load a later one.
 */
function chooseCores({inputs, outputs}, cores) {
	const reached = cores.map((core) => reachFrom(core, inputs));
	const coreOf = (file) => reached.findIndex((files) => files.has(file));
	const choose = (entry) => {
		if (coreOf(entry) !== -1) return cores.slice(0, coreOf(entry));
		const needed = new Set([...reachFrom(entry, inputs)].map(coreOf));
		return cores.filter((_, index) => needed.has(index));
	};
	const entries = Object.values(outputs).map(({entryPoint}) => entryPoint);
	return new Map(
		entries.filter((entry) => entry !== undefined).map((entry) => [entry, choose(entry)]),
	);
}

function reachFrom(file, inputs, reached = new Set()) {
	if (reached.has(file)) return reached;
	reached.add(file);
	for (const {path, kind} of inputs[file]?.imports ?? []) {
		if (kind === 'import-statement') reachFrom(path, inputs, reached);
	}
	return reached;
}

/** An output file without code of its own, which exports the names of one chunk again. */
const facade =
	/^(?:const require = .*\n)?(?:import "[^"]+";\n)*import \{([^}]*)\} from "\.\/([^"]+)";\n(?:import "[^"]+";\n)*export \{([^}]*)\};\n$/;

/**
 * Lets dynamic imports load the chunk with the code. esbuild leads them through a file that only
 * exports it again, and each file costs a turn of the module loader.
 */
export const withoutFacades = {
	name: 'without-facades',
	setup(build) {
		build.onEnd((result) => {
			const chunkOf = new Map();
			const chunks = result.outputFiles.filter(({path}) => basename(dirname(path)) === 'chunks');
			for (const {path, text} of chunks) {
				const [, names, chunk, exported] = facade.exec(text) ?? [];
				const isSame = names !== undefined && names === exported && !names.includes(' as ');
				if (isSame) chunkOf.set(basename(path), chunk);
			}
			for (const script of result.outputFiles.filter(({path}) => path.endsWith('.js'))) {
				const text = script.text.replace(
					/\bimport\("(.*\/)([^"/]+)"\)/g,
					(_, folder, name) => `import("${folder}${chunkOf.get(name) ?? name}")`,
				);
				script.contents = Buffer.from(text);
			}
			result.outputFiles = result.outputFiles.filter(({path}) => !chunkOf.has(basename(path)));
		});
	},
};
