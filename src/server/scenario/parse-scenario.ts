/** Parses a scenario file, YAML or JSON. A mistake is reported with its place. */
import type {Document, LineCounter, Node} from 'yaml';
import {checkJson, JsonMistake} from '../../check-json.ts';
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonValue} from '../../json.ts';
import {type Scenario, scenario} from './scenario-schema.ts';

/** Library messages meant for its callers. */
const messageOfCode: Readonly<Record<string, string>> = {
	MULTIPLE_DOCS: 'a scenario is one document, and here a second one begins',
};

/**
 * @param name the text's name in messages, such as its path
 * @throws {ChatError} `data` for the first mistake: with line and column for YAML, otherwise with
 * the value's path (`replies[2].fault.status`) and its line
 */
export async function parseScenario(text: string, name: string): Promise<Scenario> {
	const fail = (message: string) => new ChatError('data', `${name}: ${message}`);
	// Bundled, the package has this one export.
	const {default: yaml} = await import('yaml');
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
		throw fail(`line ${line}, column ${col}: ${messageOfCode[problem.code] ?? problem.message}`);
	}
	const value = toJson(document, fail);
	if (!isJsonObject(value)) {
		throw fail('a scenario is an object with the key replies, a list of rules');
	}
	try {
		return checkJson(scenario, value, {isQuoted: true});
	} catch (error) {
		if (!(error instanceof JsonMistake)) throw error;
		const line = findLine(document, lineCounter, error.path ?? '');
		throw fail(`${error.message}${line === undefined ? '' : ` (line ${line})`}`);
	}
}

/** Anchors make graphs, even endless ones; JSON values are trees. */
function toJson(document: Document.Parsed, fail: (message: string) => ChatError): JsonValue {
	try {
		return JSON.parse(JSON.stringify(document.toJS()) ?? 'null');
	} catch (error) {
		const reason = error instanceof Error ? error.message.split('\n', 1)[0] : '';
		throw fail(`its aliases cannot be resolved: ${reason}`);
	}
}

/** A value without its own line, such as a missing key, is where its parent is. */
function findLine(
	document: Document.Parsed,
	lineCounter: LineCounter,
	path: string,
): number | undefined {
	const steps = path.match(/[^.[\]]+/g) ?? [];
	for (let length = steps.length; length > 0; length -= 1) {
		const node: unknown = document.getIn(steps.slice(0, length), true);
		const [start] = (node as Partial<Node> | undefined)?.range ?? [];
		if (start !== undefined) return lineCounter.linePos(start).line;
	}
	return undefined;
}
