#!/usr/bin/env node
/**
 * The command. Refuses old versions of Node, prints the version for a lone `--version`, and runs the
 * built program for everything else.
 *
 * Node 10 must be able to parse it: no static import, no `import.meta`, no newer syntax.
 */
const minimum = [20, 19];
const found = process.versions.node;
const [major, minor] = found.split('.').map(Number);
const words = process.argv.slice(2);

/** Node 22.8 and newer keep the compiled code for the next run, in the user's cache. */
function keepCompiledCode() {
	const {enableCompileCache} = process.getBuiltinModule('node:module');
	if (enableCompileCache === undefined) return;
	const {isAbsolute} = process.getBuiltinModule('node:path');
	const {HOME, XDG_CACHE_HOME} = process.env;
	const bases = [XDG_CACHE_HOME, HOME && `${HOME}/.cache`];
	const base = bases.find((folder) => folder && isAbsolute(folder));
	if (base !== undefined && makeFolders([base, `${base}/chat`, `${base}/chat/compiled`])) {
		enableCompileCache(`${base}/chat/compiled`);
	}
}

/** Creates folders one by one: Node's recursive mkdir can hang if it fails. */
function makeFolders(paths) {
	const {existsSync, mkdirSync} = process.getBuiltinModule('node:fs');
	try {
		const firstMissing = paths.findIndex((path) => !existsSync(path));
		const missing = firstMissing === -1 ? [] : paths.slice(firstMissing);
		for (const path of missing) mkdirSync(path, 0o700);
		return true;
	} catch {
		return false;
	}
}

/** Whether the command may be `doctor`: before it are only flags, each perhaps with a value. */
function mayBeDoctor() {
	const isFlag = (word) => String(word).startsWith('-');
	const place = words.indexOf('doctor');
	const before = words.slice(0, place);
	return place !== -1 && before.every((word, index) => isFlag(word) || isFlag(words[index - 1]));
}

function runProgram() {
	// `chat doctor` changes nothing, and prints whether the folder is there.
	if (!mayBeDoctor()) keepCompiledCode();
	return import('../dist/main.js').then((program) => program.runProgram(words), explainFailedLoad);
}

function explainFailedLoad(error) {
	if (error.code === 'EMFILE' || error.code === 'ENFILE') {
		process.stderr.write('chat: too many open files: raise the limit, as in: ulimit -n 256\n');
		process.exitCode = 78;
		return;
	}
	if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/[\\/]dist[\\/]/.test(error.message)) throw error;
	process.stderr.write(
		'chat: the program is not built, or only partly.\n' +
			'In a clone, "npm ci" installs and builds it, and "npm run build" builds it again;\n' +
			'elsewhere, install the package again.\n',
	);
	process.exitCode = 78;
}

function printVersion() {
	process.stdout.on('error', (error) => {
		const isClosed = error.code === 'EPIPE';
		process.exitCode = isClosed ? 141 : 74;
		if (isClosed) return;
		process.stderr.on('error', () => {});
		process.stderr.write(`chat: cannot write the output: ${error.message}\n`);
	});
	return import('./version.js').then(({version}) => process.stdout.write(`${version}\n`));
}

if (major < minimum[0] || (major === minimum[0] && minor < minimum[1])) {
	process.stderr.write(`chat: needs Node ${minimum.join('.')} or newer; this is Node ${found}.\n`);
	process.exitCode = 78;
} else if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
	void printVersion();
} else {
	void runProgram();
}
