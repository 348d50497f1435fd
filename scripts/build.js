/**
 * Bundles `src/` into `dist/`, with the licences of everything bundled. The new `dist/` replaces
 * the old one in one step; a failed build changes nothing.
 *
 * `node scripts/build.js [--watch]`
 */
import {existsSync} from 'node:fs';
import {cp, mkdir, rename, rm, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {bundleOptions} from './bundle-options.js';
import {gatherCores, withoutFacades} from './bundle-plugins.js';
import {root} from './project.js';
import {collectLicenses} from './third-party-licenses.js';

const dist = join(root, 'dist');
const schemas = join(root, 'src', 'output', 'schemas');

const options = {
	...bundleOptions,
	entryPoints: ['src/main.ts'],
	outdir: dist,
	metafile: true,
	plugins: [
		...bundleOptions.plugins,
		gatherCores(['src/main.ts', 'src/cli/run/run-chat.ts', 'src/cli/run/tools/open-servers.ts']),
		withoutFacades,
		{name: 'dist', setup: (build) => build.onEnd(finishBuild)},
	],
};

async function finishBuild(result) {
	if (result.errors.length > 0) return undefined;
	try {
		const files = result.outputFiles.map(({path, contents}) => [relative(dist, path), contents]);
		files.push(['THIRD-PARTY-LICENSES.txt', await collectLicenses(root, result.metafile)]);
		await replaceDist(files);
		const bytes = files.reduce((sum, [, contents]) => sum + contents.length, 0);
		console.log(`built dist: ${files.length} files, ${Math.ceil(bytes / 1000)} kB`);
		return undefined;
	} catch (error) {
		// esbuild prints errors of the bundle, but not those of its `onEnd` callbacks.
		console.error(error.message);
		return {errors: [{text: error.message}]};
	}
}

async function replaceDist(files) {
	const next = join(root, 'build', `dist-next-${process.pid}`);
	const previous = join(root, 'build', `dist-previous-${process.pid}`);
	await rm(next, {recursive: true, force: true});
	for (const [name, contents] of files) {
		const path = join(next, name);
		await mkdir(dirname(path), {recursive: true});
		await writeFile(path, contents);
	}
	if (existsSync(schemas)) await cp(schemas, join(next, 'schemas'), {recursive: true});
	if (existsSync(dist)) await rename(dist, previous);
	await rename(next, dist);
	await rm(previous, {recursive: true, force: true});
}

/**
 * `npx chat` in a clone runs `prepare` first, with npm 10 every time. It must not build: the answer
 * would be late, and a chat in another window would lose its files. It must not fail either: npm 11
 * would never run the clone again. Without a build, the command itself says what to do.
 */
function isStartedByNpx() {
	return process.env.npm_command === 'exec' && process.env.npm_lifecycle_event === 'prepare';
}

async function loadBundler() {
	try {
		return await import('esbuild');
	} catch (error) {
		if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
		console.error('esbuild is not installed: run "npm ci" in the clone first.');
		return undefined;
	}
}

async function main() {
	if (isStartedByNpx()) return;
	const esbuild = await loadBundler();
	if (esbuild === undefined) {
		process.exitCode = 1;
		return;
	}
	if (process.argv.includes('--watch')) {
		const context = await esbuild.context(options);
		await context.watch();
		return;
	}
	try {
		await esbuild.build(options);
	} catch {
		// esbuild has printed the errors, with their lines.
		process.exitCode = 1;
	}
}

await main();
