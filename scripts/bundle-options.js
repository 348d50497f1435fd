/** The bundle options that the build and the tests share. */
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {
	builtinsWithoutFacade,
	withoutChildProcess,
	withoutDevtools,
	withoutPartsOfSdk,
	yogaWithoutFetch,
} from './bundle-plugins.js';

/** Bundled CommonJS code only requires Node's own modules. */
const requireBanner = 'const require = (name) => globalThis.process.getBuiltinModule(name);';

/**
 * Returns options for builds that keep their files in memory.
 *
 * @param root the folder of the project
 */
export async function readBundleOptions(root) {
	const {version} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	return {
		absWorkingDir: root,
		chunkNames: 'chunks/[name]-[hash]',
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node20.19',
		define: {
			'process.env.NODE_ENV': '"production"',
			__CHAT_VERSION__: JSON.stringify(version),
		},
		banner: {js: requireBanner},
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
}
