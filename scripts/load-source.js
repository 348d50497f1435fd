/** Loads a module of `src/` for a script: bundled, because old versions of Node cannot read TypeScript. */
import {build} from 'esbuild';
import {readBundleOptions} from './bundle-options.js';

/**
 * @param {string} root the folder of the project
 * @param {string} path from there
 */
export async function loadSource(root, path) {
	const options = {...(await readBundleOptions(root)), splitting: false, entryPoints: [path]};
	const {outputFiles} = await build({...options, outdir: root});
	const [{text}] = outputFiles;
	return await import(`data:text/javascript,${encodeURIComponent(text)}`);
}
