/** How `src/` is bundled: by the build, the packages and the tests, and by scripts that use a part of it. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {
	builtinsWithoutFacade,
	withoutChildProcess,
	withoutDevtools,
	withoutPartsOfSdk,
	yogaWithoutFetch,
} from './bundle-plugins.js';
import {manifest, root} from './project.js';

/** Options for builds that keep their files in memory. */
export const bundleOptions = {
	absWorkingDir: root,
	chunkNames: 'chunks/[name]-[hash]',
	bundle: true,
	splitting: true,
	format: 'esm',
	platform: 'node',
	target: 'node20.19',
	define: {
		'process.env.NODE_ENV': '"production"',
		__CHAT_VERSION__: JSON.stringify(manifest.version),
	},
	// Bundled CommonJS code only requires Node's own modules.
	banner: {js: 'const require = (name) => globalThis.process.getBuiltinModule(name);'},
	legalComments: 'none',
	logLevel: 'warning',
	jsx: 'automatic',
	write: false,
	plugins: [
		builtinsWithoutFacade,
		withoutChildProcess,
		yogaWithoutFetch,
		withoutDevtools,
		withoutPartsOfSdk,
	],
};

/**
 * Loads a module of `src/`, bundled, because old versions of Node cannot read TypeScript.
 *
 * @param path from the folder of the project
 */
export async function loadSource(path) {
	const {build} = await import('esbuild');
	const folder = await mkdtemp(join(tmpdir(), 'chat-source-'));
	try {
		const outfile = join(folder, 'module.mjs');
		await build({...bundleOptions, splitting: false, entryPoints: [path], outfile, write: true});
		return await import(outfile);
	} finally {
		await rm(folder, {recursive: true});
	}
}
