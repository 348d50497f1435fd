/** Changes the bundle makes to its packages. A change that no longer fits fails the build. */
import {readFile} from 'node:fs/promises';
import {isBuiltin} from 'node:module';
import {extname, join, relative, sep} from 'node:path';

/** An import as the bundler prints it: a default, a namespace, names, or nothing. */
const builtinImport =
	/^import (?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+))?(?:\{([^}]*)\})?(?: from )?"([^".][^"]*)";$/gm;

/**
 * Node's own modules are taken as they are. An `import` of one builds a facade that reads every
 * export: `node:http` loads undici on Node 24, `node:process` opens stdin, and each takes its turn
 * in the module loader. For builds that give back their files.
 */
export const builtinsWithoutFacade = {
	name: 'builtins-without-facade',
	setup(build) {
		build.onEnd(({outputFiles = []}) => {
			const scripts = outputFiles.filter(({path}) => path.endsWith('.js'));
			for (const script of scripts) {
				const text = script.text.replaceAll(builtinImport, takeBuiltin);
				if (/^(?:import [^"(\n]*|\} from )"[^.]/m.test(text)) {
					return {errors: [{text: `${script.path} imports what is not in the bundle`}]};
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
 * Yoga reads its embedded WASM through `fetch` where there is one, and the first `fetch` of a
 * process loads undici: 36 ms of CPU for a string that is in memory already.
 */
export const yogaWithoutFetch = {
	name: 'yoga-without-fetch',
	setup(build) {
		build.onLoad({filter: /yoga-wasm-base64-esm\.js$/}, async ({path}) => {
			const source = await readFile(path, 'utf8');
			const contents = source.replaceAll('"function"!=typeof fetch', 'true');
			if (contents === source) return {errors: [{text: `${path} no longer asks for fetch`}]};
			return {contents, loader: 'js'};
		});
	},
};

/** The parts of Ink's `Output` that the patch relies on. */
const gridStart = '    get() {\n';
const gridParts = ["type: 'write',", 'line = transformer(line, index + y - operation.y);'];

const paintRows = `
        if (this.operations.every(({type, x}) => type === 'write' && x === 0)) {
            const rows = Array.from({length: this.height}, () => '');
            for (const {y, text, transformers} of this.operations) {
                for (const [index, line] of text.split('\\n').entries()) {
                    if (y + index >= this.height) break;
                    const row = transformers.reduce((shown, transform) => transform(shown, index), line);
                    rows[y + index] = row.trimEnd();
                }
            }
            return {output: rows.join('\\n'), height: this.height};
        }
`;

/**
 * Ink puts each character of a frame into a cell, for what overlaps or is cut. Our frames are whole
 * rows at the left edge, and the cells were a sixth of what an answer costs on the screen.
 */
export const inkWithoutCells = {
	name: 'ink-without-cells',
	setup(build) {
		build.onLoad({filter: /[\\/]ink[\\/]build[\\/]output\.js$/}, async ({path}) => {
			const source = await readFile(path, 'utf8');
			const isKnown = [gridStart, ...gridParts].every((part) => source.includes(part));
			if (!isKnown) return {errors: [{text: `${path} no longer paints as it did`}]};
			return {contents: source.replace(gridStart, () => gridStart + paintRows), loader: 'js'};
		});
	},
};

/** Ink connects to React's developer tools if they are installed; here they never are. */
export const withoutDevtools = {
	name: 'without-devtools',
	setup(build) {
		build.onResolve({filter: /^react-devtools-core$/}, ({path}) => ({path, namespace: 'stub'}));
		build.onLoad({filter: /.*/, namespace: 'stub'}, () => ({
			contents: 'export default {initialize() {}, connectToDevTools() {}};',
		}));
	},
};

/** Commander could start programs as subcommands; here it never does, and need not load what could. */
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

/**
 * Gathers what most runs need into few files, because each file costs a turn of the module loader.
 *
 * A chunk holds the modules that the same entries need, and each dynamic import is an entry. So
 * every entry is made to need the whole of the cores, which are loaded by then anyway.
 *
 * @param cores paths from the root, in the order in which a run needs them; the first is an entry
 * point
 */
export function gatherCores(cores) {
	return {
		name: 'gather-cores',
		setup(build) {
			const {absWorkingDir: root, entryPoints} = build.initialOptions;
			let neededBy = new Map();
			build.onStart(async () => {
				neededBy = chooseCores(await readGraph(build), cores, entryPoints);
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

/** Who imports whom in `src/`, without the packages; empty when the sources do not fit together. */
async function readGraph({esbuild, initialOptions}) {
	const changes = {plugins: [], packages: 'external', metafile: true, logLevel: 'silent'};
	const result = await esbuild.build({...initialOptions, ...changes}).catch(() => undefined);
	return result?.metafile ?? {inputs: {}, outputs: {}};
}

/**
 * The cores that each entry is made to need. Of an entry that is part of a core, only those before
 * it: a core must not be loaded for the sake of another.
 */
function chooseCores({inputs, outputs}, cores, entryPoints) {
	const reached = cores.map((core) => reachFrom(core, inputs));
	const choose = (entry) => {
		const own = reached.findIndex((files) => files.has(entry));
		if (own !== -1) return cores.slice(0, own);
		return entryPoints.includes(entry) ? cores.slice(0, 1) : cores;
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
