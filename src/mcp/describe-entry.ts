/** Describes how a server is reached, for a person who decides about it. No value of a secret is shown. */
import type {ApprovalLine} from '../chat/tool.ts';
import {isSecretName, redactUrl, redactUrlText} from '../redact.ts';
import type {ServerEntry} from './server-entry.ts';

/** @param home stands for a folder that the entry does not name */
export function describeEntry(
	entry: ServerEntry,
	home: string | undefined,
): readonly ApprovalLine[] {
	const {access, includeTools = [], excludeTools} = entry;
	const isProgram = access.type === 'program';
	const lines: ReadonlyArray<readonly [label: string, texts: readonly string[]]> = [
		[isProgram ? 'program' : 'address', [describeAccess(entry)]],
		['in', isProgram ? [access.cwd ?? home ?? '/'] : []],
		['with', isProgram ? describeVariables(access.variables) : describeHeaders(access.headers)],
		['only', includeTools],
		['without', excludeTools],
	];
	return lines
		.filter(([, texts]) => texts.length > 0)
		.map(([label, texts]) => ({label, text: texts.join(', ')}));
}

/** Returns the program with its arguments, or the address. */
export function describeAccess({access}: ServerEntry): string {
	if (access.type === 'program') return access.argv.map(quoteElement).join(' ');
	const {url} = access;
	return URL.canParse(url) ? redactUrl(new URL(url)) : redactUrlText(url);
}

/** Returns what a server is known by: arguments may be secret. */
export function shortAccess(entry: ServerEntry): string {
	const {access} = entry;
	if (access.type === 'http') return describeAccess(entry);
	const [program = '', ...rest] = access.argv;
	return [program, rest.find((text) => !text.startsWith('-')) ?? ''].join(' ').trim();
}

/** An element with blanks would look like several. */
function quoteElement(text: string): string {
	return /^[^\s"'\\]+$/.test(text) ? text : JSON.stringify(text);
}

/**
 * Threat: a file with `NODE_OPTIONS` or the like, which runs more than the program that is shown. So
 * values are shown as they are written, unless their name is that of a secret.
 */
function describeVariables(values: Readonly<Record<string, string>>): readonly string[] {
	return Object.entries(values).map(([name, value]) => {
		return isSecretName(name) || isReference(value)
			? nameSources(name, value)
			: `${name}=${quoteElement(value)}`;
	});
}

/** A default, or text around the variable, would be more than its name says. */
function isReference(value: string): boolean {
	return /^\$\{(?:env:)?\w+\}$/.test(value);
}

function describeHeaders(values: Readonly<Record<string, string>>): readonly string[] {
	return Object.entries(values).map(([name, value]) => nameSources(name, value));
}

/** Returns the name, with the variables that its value comes from. */
function nameSources(name: string, value: string): string {
	const sources = [...value.matchAll(/\$\{(?:env:)?(\w+)/g)].map(([, source]) => source);
	const others = sources.filter((source) => source !== name);
	return others.length === 0 ? name : `${name} (from ${others.join(', ')})`;
}
