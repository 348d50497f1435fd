/** Reads YAML as the values of JSON, with their lines. JSON is valid YAML. */
import type {Document, LineCounter} from 'yaml';
import {ChatError} from '../../errors.ts';
import type {JsonValue} from '../../json.ts';

export type ParsedYaml = {
	readonly value: JsonValue;
	/** The line of the value at a path such as `replies[2].when`, from 1; undefined: unknown. */
	lineOf(path: string): number | undefined;
};

/** The messages of the library that are meant for its callers. */
const messageOfCode: Readonly<Record<string, string>> = {
	MULTIPLE_DOCS: 'a scenario is one document, and here a second one begins',
};

/** The library compares every key with those before it, and every alias with all anchors. */
const maxKeys = 20_000;
const maxAnchors = 1_000;

/** @throws {ChatError} `data` with line and column when the text is neither YAML nor JSON. */
export async function readYaml(text: string, name: string): Promise<ParsedYaml> {
	// Bundled, the package has this one export.
	const {default: yaml} = await import('yaml');
	if (isTooLarge(new yaml.Lexer().lex(text))) {
		const limits = `${maxKeys} keys, and ${maxAnchors} anchors and aliases`;
		throw new ChatError('data', `${name}: a scenario has at most ${limits}`);
	}
	const lineCounter = new yaml.LineCounter();
	const document = yaml.parseDocument(text, {
		lineCounter,
		prettyErrors: false,
		logLevel: 'error',
		merge: true,
	});
	const [problem] = [...document.errors, ...document.warnings];
	if (problem !== undefined) {
		const {line, col} = lineCounter.linePos(problem.pos[0]);
		const message = messageOfCode[problem.code] ?? problem.message;
		throw new ChatError('data', `${name}: line ${line}, column ${col}: ${message}`);
	}
	return {
		value: toJson(document, name),
		lineOf: (path) => findLine(document, lineCounter, path),
	};
}

/** Sees the tokens of a text, which come as their source. */
function isTooLarge(tokens: Iterable<string>): boolean {
	let keys = 0;
	let anchors = 0;
	for (const token of tokens) {
		if (token === ':') keys += 1;
		else if (/^[&*]/.test(token)) anchors += 1;
		if (keys > maxKeys || anchors > maxAnchors) return true;
	}
	return false;
}

/** Anchors make graphs, also endless ones; the values of JSON are trees. */
function toJson(document: Document.Parsed, name: string): JsonValue {
	try {
		return JSON.parse(JSON.stringify(document.toJS()) ?? 'null');
	} catch (error) {
		const reason = error instanceof Error ? error.message.split('\n', 1)[0] : '';
		throw new ChatError('data', `${name}: its aliases cannot be resolved: ${reason}`);
	}
}

/** A value without a line of its own, such as a missing key, is where its parent is. */
function findLine(
	document: Document.Parsed,
	lineCounter: LineCounter,
	path: string,
): number | undefined {
	const steps = [...path.matchAll(/([^.[\]]+)/g)].map(([step]) => step);
	for (let length = steps.length; length > 0; length -= 1) {
		const node: unknown = document.getIn(steps.slice(0, length), true);
		const start = readStart(node);
		if (start !== undefined) return lineCounter.linePos(start).line;
	}
	return undefined;
}

function readStart(node: unknown): number | undefined {
	if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
	const {range} = node;
	return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined;
}
