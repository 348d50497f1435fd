/** Splits a template into its front matter and its body. */
import type {LineCounter} from 'yaml';
import {ChatError} from '../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';

export type SplitText = {
	/** Undefined without front matter. */
	readonly values: JsonObject | undefined;
	readonly body: string;
};

/** More than anyone writes by hand; a parser of YAML is slow. */
const maxLength = 65_536;

const frontMatter = /^---[ \t]*\n(?:([\s\S]*?)\n)??(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/**
 * @param text with `\n` at the end of each line
 * @param name the subject of messages, such as the path
 * @throws {ChatError} `data` for a mistake in the YAML, with its line and column
 */
export async function splitFrontMatter(text: string, name: string): Promise<SplitText> {
	const [all, yaml = ''] = frontMatter.exec(text) ?? [];
	if (all === undefined) return {values: undefined, body: text};
	// The first line of the file is the mark before the front matter.
	return {values: await readYaml(yaml, name, 2), body: text.slice(all.length)};
}

/**
 * @param firstLine the number of the first line in the file
 * @throws {ChatError} as `splitFrontMatter` does
 */
export async function readYaml(yaml: string, name: string, firstLine: number): Promise<JsonObject> {
	const fail = (problem: string) => new ChatError('data', `${name}: ${problem}`);
	if (yaml.length > maxLength) throw fail('its YAML is longer than 64 KiB');
	const parsed = await parseYaml(yaml, firstLine);
	if ('values' in parsed) return parsed.values;
	// `description: Use when: …` is not valid YAML, but everybody writes it.
	const retried = await parseYaml(quoteValues(yaml), firstLine);
	if ('values' in retried) return retried.values;
	throw fail(parsed.problem);
}

type Parsed = {readonly values: JsonObject} | {readonly problem: string};

async function parseYaml(yaml: string, firstLine: number): Promise<Parsed> {
	// Bundled, the package has this one export.
	const {default: library} = await import('yaml');
	const lineCounter: LineCounter = new library.LineCounter();
	try {
		const options = {lineCounter, prettyErrors: false, logLevel: 'silent'} as const;
		const document = library.parseDocument(yaml, options);
		const [problem] = document.errors;
		if (problem !== undefined) {
			const {line, col} = lineCounter.linePos(problem.pos[0]);
			const message = problem.message.replace(/^Maximum call stack.*/, 'nested too deep');
			return {problem: `line ${line + firstLine - 1}, column ${col}: ${message}`};
		}
		// Threat: aliases of aliases, which grow without limit.
		const value: unknown = document.toJS({maxAliasCount: 0}) ?? {};
		const json = JSON.parse(JSON.stringify(value)) as JsonValue;
		if (isJsonObject(json)) return {values: json};
		return {problem: `line ${firstLine}, column 1: there have to be keys with values`};
	} catch (error) {
		if (error instanceof ReferenceError) return {problem: 'front matter must not have aliases'};
		if (error instanceof RangeError) return {problem: 'front matter is nested too deep'};
		throw error;
	}
}

/** Values that other programs accept without quotes: with a colon, `@file`, `*.ts`, `[file] [focus]`. */
const unquoted = /^(?:[@`%]|\*[./*]|\[[^\]]*\]\s*\S|[^\s"'[{|>&*!%@`#].*:(?:\s|$))/;

function quoteValues(yaml: string): string {
	return yaml.replace(/^([\w-]+:[ \t]+)(\S.*)$/gm, (line, key: string, written: string) => {
		const value = written.replace(/\s+# .*$/, '').trimEnd();
		return unquoted.test(value) ? key + JSON.stringify(value) : line;
	});
}
