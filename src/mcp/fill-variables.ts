/**
 * Variables in an entry: `${NAME}`, `${NAME:-default}`, and `${env:NAME}` as written by other
 * programs.
 */
import {isAbsolute} from 'node:path';
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {isOwnKey, mayHoldSecret} from '../redact.ts';
import type {ServerEntry} from './server-entry.ts';

const reference = /\$\{([^}]*)\}/g;
const nameAndDefault = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s;

/**
 * Returns the text between each reference's braces. Takes linear time, even with unclosed braces.
 */
function findReferences(text: string): readonly string[] {
	const closed = text.slice(0, text.lastIndexOf('}') + 1);
	return [...closed.matchAll(reference)].map(([, inner = '']) => inner);
}

/** Returns all variable names in texts, without duplicates. */
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
			return `contains ${whole}, but servers never get chat's key; give this one a key of its own`;
		}
	}
	return undefined;
}

/** Returns variables or headers with probable secrets written in the entry itself. */
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

/** @returns the names of required variables that are not set */
export function findMissing(entry: ServerEntry, {variables}: VariableSource): readonly string[] {
	const missing = new Set<string>();
	mapTexts(entry, (text) => fill(text, variables, (name) => missing.add(name)));
	return [...missing];
}

/** @returns values of secretly named variables in the entry, which no message repeats */
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
 * Returns the entry with its variables filled in, just for starting the server: values are neither
 * saved nor shown.
 *
 * @throws {ChatError} `config` for missing variables, and for a text that becomes invalid
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
 * Returns the hosts that a URL may lead to: with the current variables, and with its defaults
 * instead. A variable that is not set, or has a secret's name, is shown by its name.
 *
 * Threat: a file that hides the true host before a `?` or an `@`, or in a default.
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

/** A host part that occurs in no entry by chance. */
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

/** Maps every text that may contain variables. */
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

/**
 * @returns the end of a sentence; undefined for a usable URL. Never quotes it: it may hold a key.
 */
function findUrlProblem(text: string): string | undefined {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		return 'must start with http:// or https://';
	}
	return url.username === '' && url.password === '' ? undefined : userProblem;
}

/** Finds the problem in a URL before its variables are filled in. */
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

/** Returns a `config` error naming the file and the server. */
export function entryError(
	{file, name}: Pick<ServerEntry, 'file' | 'name'>,
	problem: string,
): ChatError {
	return new ChatError('config', `${file}, server ${name}: ${problem}`);
}
