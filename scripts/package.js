/**
 * Stages the built program in `build/package/` as it is published, checks it with publint, and
 * packs it into `build/`, replacing older packages. The staged manifest has no dependencies and no
 * scripts: everything is bundled.
 *
 * The same sources give the same bytes, with the same Node and npm. Set `SOURCE_DATE_EPOCH` where
 * there is no Git, for the date of the manual page.
 */
import {execFileSync} from 'node:child_process';
import {chmod, cp, mkdir, readdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {publint} from 'publint';
import {formatMessage} from 'publint/utils';
import {loadSource} from './bundle-options.js';
import {manifest, root} from './project.js';

const output = join(root, 'build');
const staged = join(output, 'package');
const publishedFields = [
	'name',
	'version',
	'description',
	'keywords',
	'homepage',
	'bugs',
	'repository',
	'license',
	'type',
	'bin',
	'engines',
];
const manualPath = 'share/man/man1/chat.1';
/** Where the shells look for completions, below the prefix of an installation. */
const completionPaths = {
	bash: 'share/bash-completion/completions/chat',
	zsh: 'share/zsh/site-functions/_chat',
	fish: 'share/fish/vendor_completions.d/chat.fish',
};

async function stagePackage() {
	await rm(staged, {recursive: true, force: true});
	await mkdir(staged, {recursive: true});
	const documents = (await readdir(root)).filter((name) => name.endsWith('.md'));
	for (const path of ['bin', 'dist', 'docs', 'LICENSE', ...documents]) {
		await cp(join(root, path), join(staged, path), {recursive: true});
	}
	const fields = Object.fromEntries(publishedFields.map((field) => [field, manifest[field]]));
	// npm ignores a `man` that is not a list.
	const published = {...fields, man: [manualPath]};
	await writeStaged('package.json', `${JSON.stringify(published, undefined, '\t')}\n`);
	await writeStaged(manualPath, await printManual());
	const {scripts} = await loadSource('src/cli/commands/completion/scripts.ts');
	for (const [shell, path] of Object.entries(completionPaths)) {
		await writeStaged(path, scripts[shell]);
	}
	await normalizeModes();
	return published;
}

async function writeStaged(path, text) {
	await mkdir(dirname(join(staged, path)), {recursive: true});
	await writeFile(join(staged, path), text);
}

async function printManual() {
	const manual = await loadSource('scripts/manual/page.ts');
	const date = findDate().toISOString().slice(0, 10);
	return await manual.printManual({version: manifest.version, date});
}

/** The date of the sources: by the variable that reproducible builds share, or the last commit. */
function findDate() {
	const {SOURCE_DATE_EPOCH: given} = process.env;
	if (given) return new Date(Number(given) * 1000);
	try {
		const options = {cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']};
		return new Date(execFileSync('git', ['log', '-1', '--format=%cI'], options).trim());
	} catch {
		return new Date();
	}
}

/** The modes in a clone depend on the umask. */
async function normalizeModes() {
	for (const entry of await readdir(staged, {recursive: true, withFileTypes: true})) {
		const path = join(entry.parentPath, entry.name);
		const isRun = entry.isDirectory() || path === join(staged, 'bin', 'chat.js');
		await chmod(path, isRun ? 0o755 : 0o644);
	}
}

/** @throws on an error or a warning of publint. It suggests leaving out documents, which link to each other. */
async function lintPackage(published) {
	const {messages} = await publint({pkgDir: staged, pack: false, strict: true, level: 'warning'});
	for (const message of messages) {
		console.error(`publint ${message.type}: ${formatMessage(message, published, {color: false})}`);
	}
	if (messages.some(({type}) => type === 'error')) throw new Error('publint rejected the package');
}

function runNpm(words) {
	const options = {cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit']};
	const npm = process.env.npm_execpath;
	if (npm !== undefined) return execFileSync(process.execPath, [npm, ...words], options);
	return execFileSync('npm', words, {...options, shell: process.platform === 'win32'});
}

async function packPackage() {
	const names = await readdir(output);
	const older = names.filter((name) => name.endsWith('.tgz'));
	for (const name of older) await rm(join(output, name));
	// Named, because npm passes the folder of its own package to the scripts that it starts.
	const words = ['pack', './build/package', '--pack-destination', 'build', '--json', '--silent'];
	const [packed] = Object.values(JSON.parse(runNpm(words)));
	return packed;
}

await lintPackage(await stagePackage());
const {filename, size, unpackedSize, entryCount} = await packPackage();
const path = relative(process.cwd(), join(output, filename));
const kilobytes = (bytes) => `${Math.ceil(bytes / 1000)} kB`;
console.log(
	`packed ${path}: ${kilobytes(size)} (${kilobytes(unpackedSize)} in ${entryCount} files)`,
);
