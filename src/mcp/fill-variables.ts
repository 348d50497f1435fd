/** The variables in an entry: `${NAME}`, `${NAME:-default}`, and `${env:NAME}` as other programs write it. */
import {isAbsolute} from 'node:path';
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {isOwnKey, mayHoldSecret} from '../redact.ts';
import type {ServerEntry} from './server-entry.ts';

const reference = /\$\{([^}]*)\}/g;
const nameAndDefault = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s;

/** Returns what is between the braces of each reference. Takes linear time, also without any brace that closes. */
function findReferences(text: string): readonly string[] {
	const closed = text.slice(0, text.lastIndexOf('}') + 1);
	return [...closed.matchAll(reference)].map(([, inner = '']) => inner);
}

/** Returns the names of the variables in texts, each once. */
export function findVariables(texts: readonly string[]): readonly string[] {
	const names = texts
		.flatMap(findReferences)
		.flatMap((inner) => nameAndDefault.exec(inner)?.[1] ?? []);
	return [...new Set(names)];
}

/** @returns why a text can never be filled in, as the end of a sentence; undefined if it can */
export function findBadReference(text: string): string | undefined {
	for (const inner of findReferences(text)) {
		const whole = `\${${inner}}`;
		const [, name] = nameAndDefault.exec(inner) ?? [];
		if (name === undefined) {
			return `contains ${whole}, which chat cannot fill in; write \${NAME} instead, and set that variable`;
		}
		if (isOwnKey(name)) {
			return `contains ${whole}, but servers never get the key of chat; give this one a key of its own`;
		}
	}
	return undefined;
}

/** Returns the variables or headers whose values are probably secrets in the entry itself. */
export function findPlainSecrets({access}: ServerEntry): readonly string[] {
	const secret = access.type === 'http' ? access.auth?.clientSecret : undefined;
	const values =
		access.type === 'http'
			? {...access.headers, ...(secret && {'auth.clientSecret': secret})}
			: access.variables;
	return Object.entries(values)
		.filter(([name, value]) => mayHoldSecret(name) && !value.includes('${'))
		.map(([name]) => name);
}

export type VariableSource = Pick<Environment, 'variables' | 'homedir'>;

/** @returns the names of the variables that the entry needs and that are not set */
export function findMissing(entry: ServerEntry, {variables}: VariableSource): readonly string[] {
	const missing = new Set<string>();
	mapTexts(entry, (text) => fill(text, variables, (name) => missing.add(name)));
	return [...missing];
}

/** @returns the values in the entry of variables with the name of a secret, which no message repeats */
export function findSecrets(entry: ServerEntry, {variables}: VariableSource): readonly string[] {
	const texts: string[] = [];
	mapTexts(entry, (text) => {
		texts.push(text);
		return text;
	});
	return findVariables(texts)
		.filter(mayHoldSecret)
		.flatMap((name) => variables[name] ?? []);
}

/**
 * Returns the entry as a server is started with it. That is all that an entry with variables is ever
 * read for: values are neither saved nor shown.
 *
 * @throws {ChatError} `config` for variables that are not set, and for a text that is not valid with
 * its variables filled in
 */
export function fillVariables(entry: ServerEntry, source: VariableSource): ServerEntry {
	const {variables, homedir} = source;
	const missing = findMissing(entry, source);
	if (missing.length > 0) {
		const [noun, verb] = missing.length === 1 ? ['variable', 'is'] : ['variables', 'are'];
		throw entryError(entry, `the ${noun} ${missing.join(', ')} ${verb} not set`);
	}
	const filled = mapTexts(entry, (text) => fill(text, variables, () => {}));
	const {access} = filled;
	if (access.type === 'http') {
		const problem = findUrlProblem(access.url);
		if (problem !== undefined) throw entryError(entry, `url ${problem}`);
		for (const [name, value] of Object.entries(access.headers)) {
			const problem = findHeaderProblem(value);
			if (problem !== undefined) throw entryError(entry, `headers.${name} ${problem}`);
		}
		return filled;
	}
	const cwd = access.cwd?.replace(/^~(?=\/|$)/, () => homedir ?? '~');
	if (cwd !== undefined && !isAbsolute(cwd)) {
		throw entryError(entry, 'cwd must be an absolute path');
	}
	return {...filled, access: {...access, cwd}};
}

/**
 * Returns the hosts that a URL may lead to: with the variables as they are, and with its defaults in
 * their place. Threat: a file that hides the true host before a `?` or an `@`, or in a default.
 *
 * A variable that is not set, or has the name of a secret, is shown by its name.
 */
export function findHosts(url: string, {variables}: VariableSource): readonly string[] {
	const names = findVariables([url]);
	const hosts = [true, false].map((isAsSet) => {
		const filled = replaceReferences(url, (name, fallback) => {
			const mark = markOf(names.indexOf(name));
			const value = variables[name] && (mayHoldSecret(name) ? mark : variables[name]);
			return (isAsSet ? value || fallback : fallback || value) || mark;
		});
		const {host} = URL.canParse(filled) ? new URL(filled) : {host: ''};
		const named = host.replace(markPattern, (_, index: string) => `\${${names[Number(index)]}}`);
		return named === '' ? `a host that ${names.join(', ')} decides` : named;
	});
	return [...new Set(hosts)];
}

/** A part of a host that no entry has by chance. */
const markOf = (index: number) => `zqvariable${index}qz`;
const markPattern = /zqvariable(\d+)qz/g;

function fill(
	text: string,
	variables: VariableSource['variables'],
	onMissing: (name: string) => void,
): string {
	return replaceReferences(text, (name, fallback) => {
		// An empty variable counts as unset, as in a shell.
		const value = variables[name] || fallback;
		if (value === undefined) onMissing(name);
		return value ?? '';
	});
}

/** Returns undefined if a variable is not set. */
export function fillText(text: string, variables: VariableSource['variables']): string | undefined {
	let isWhole = true;
	const filled = fill(text, variables, () => (isWhole = false));
	return isWhole ? filled : undefined;
}

function replaceReferences(
	text: string,
	replace: (name: string, fallback: string | undefined) => string,
): string {
	const end = text.lastIndexOf('}') + 1;
	const closed = text.slice(0, end).replace(reference, (_, inner: string) => {
		const [, name = '', fallback] = nameAndDefault.exec(inner) ?? [];
		return replace(name, fallback);
	});
	return closed + text.slice(end);
}

/** Changes every text that may have variables. */
function mapTexts(entry: ServerEntry, map: (text: string) => string): ServerEntry {
	const {access} = entry;
	const mapValues = (texts: Readonly<Record<string, string>>) =>
		Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, map(text)]));
	if (access.type === 'http') {
		const {auth} = access;
		const login = auth && {
			...auth,
			clientId: auth.clientId && map(auth.clientId),
			clientSecret: auth.clientSecret && map(auth.clientSecret),
			scopes: auth.scopes.map(map),
		};
		return {
			...entry,
			access: {...access, url: map(access.url), headers: mapValues(access.headers), auth: login},
		};
	}
	const {argv, variables, cwd} = access;
	return {
		...entry,
		access: {...access, argv: argv.map(map), variables: mapValues(variables), cwd: cwd && map(cwd)},
	};
}

/** @returns the end of a sentence; undefined for a URL that can be used. Never quotes it: it may hold a key. */
function findUrlProblem(text: string): string | undefined {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		return 'must start with http:// or https://';
	}
	return url.username === '' && url.password === '' ? undefined : userProblem;
}

/** Finds the problem of a URL whose variables are not filled in yet. */
export function findWrittenUrlProblem(text: string): string | undefined {
	if (!text.includes('${')) return findUrlProblem(text);
	const plain = replaceReferences(text, () => 'x');
	return /^[^/?#\\]*[/\\]{2}[^/?#\\]*@/.test(plain) ? userProblem : undefined;
}

const userProblem = 'must not contain a user or password; put an Authorization header into headers';

/** @returns the end of a sentence; undefined for a value that can be sent. Never quotes it. */
export function findHeaderProblem(value: string): string | undefined {
	return /^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim())
		? undefined
		: 'must be one line of Latin-1 text';
}

/** Returns an error of kind `config` that names the file and the server. */
export function entryError(
	{file, name}: Pick<ServerEntry, 'file' | 'name'>,
	problem: string,
): ChatError {
	return new ChatError('config', `${file}, server ${name}: ${problem}`);
}
