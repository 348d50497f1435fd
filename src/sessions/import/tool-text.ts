/** Calls of foreign tools, as text: no service accepts a call of a tool it does not have. */
import {isJsonObject, parseJsonObject} from '../../json.ts';
import {formatSize, shorten} from '../../wording.ts';

export type ForeignCall = {
	readonly type: 'call';
	readonly id: string;
	/** Empty if the call is lost, and only its result is there. */
	readonly name: string;
	readonly input: unknown;
	result: ForeignResult | undefined;
};

export type ForeignResult = {readonly text: string; readonly isError: boolean};

/** UTF-8 bytes of a result. */
const maxResultBytes = 4096;

/** Returns `[tool Read: src/auth.ts, 2 KiB]`, and below it the start of the result. */
export function writeCall({name, input, result}: ForeignCall): string {
	const target = describeInput(input);
	const bytes = Buffer.from(result?.text ?? '');
	const facts = [
		...(target === '' ? [] : [target]),
		...(result?.isError ? ['failed'] : []),
		result === undefined ? 'no result' : formatSize(bytes.length),
	];
	const head = `[${['tool', name].filter(Boolean).join(' ')}: ${facts.join(', ')}]`;
	if (bytes.length === 0) return head;
	const isCut = bytes.length > maxResultBytes;
	const kept = bytes
		.subarray(0, maxResultBytes)
		.toString('utf8')
		.replace(/\ufffd$/, '');
	const shown = (isCut ? kept : (result?.text ?? '')).replace(/\n$/, '');
	const note = isCut ? `\n[… ${formatSize(bytes.length - maxResultBytes)} left out]` : '';
	return `${head}\n${fenceOf(shown)}\n${shown}\n${fenceOf(shown)}${note}`;
}

/** A fence is longer than any in the text. */
function fenceOf(text: string): string {
	const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({length}) => length));
	return '`'.repeat(longest + 1);
}

/** Fields naming a call's subject, the most telling first. */
const targetFields = [
	...['file_path', 'filePath', 'absolute_path', 'path', 'command', 'cmd', 'pattern', 'query'],
	...['url', 'prompt', 'description', 'input'],
];

const maxInputLength = 120;

/** Returns one line. */
function describeInput(given: unknown): string {
	const input = typeof given === 'string' ? (parseJsonObject(given) ?? given) : given;
	const fields = isJsonObject(input) ? input : {};
	const name = targetFields.find((field) => fields[field]);
	const found = name === undefined ? input : fields[name];
	if (isJsonObject(found) && Object.keys(found).length === 0) return '';
	const words = Array.isArray(found) ? found.join(' ') : found;
	const text = typeof words === 'string' ? words : (JSON.stringify(words) ?? '');
	return shorten(text.replace(/\s+/g, ' ').trim(), maxInputLength);
}
