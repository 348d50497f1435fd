/** Hands REPL texts over to files, the clipboard, the editor and the browser. */
import type {Environment, Terminal} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {createStdoutWriter} from '../../../output/streams.ts';
import type {ReplServices} from '../../../repl/services.ts';
import type {ReplState} from '../../../repl/state.ts';
import {canDraw} from '../../../terminal/capabilities.ts';
import {clipboardSequence, maxClipboardBytes} from '../../../terminal/osc.ts';
import {plural} from '../../../wording.ts';
import type {RunningSession} from '../saving/export-to-file.ts';
import {readPath} from './load-attachments.ts';

type HandOver = Pick<
	ReplServices,
	'exportConversation' | 'printConversation' | 'copy' | 'save' | 'editText' | 'openPage'
>;

export function createHandOver(
	describeRunning: (state: ReplState) => RunningSession,
	terminal: Terminal,
	environment: Environment,
): HandOver {
	return {
		async exportConversation(written, state) {
			const {exportToFile} = await import('../saving/export-to-file.ts');
			const path = readPath(written, environment);
			return await exportToFile(describeRunning(state), path, environment);
		},
		async printConversation(state) {
			const {exportAsMarkdown} = await import('../saving/export-to-file.ts');
			return await exportAsMarkdown(describeRunning(state), environment);
		},
		copy: (text, isPartial) => copyText(text, isPartial, environment),
		async save(text, part, path) {
			const {writeNewFile} = await import('../write-new-file.ts');
			const name = readPath(path, environment);
			const whole = text.endsWith('\n') ? text : `${text}\n`;
			writeNewFile({name, text: whole, command: `/save ${part}`.trimEnd()}, environment.cwd);
			return `saved to ${name}`;
		},
		async editText(text) {
			const {editText} = await import('../run-editor.ts');
			return await terminal.lend(() => editText(text, environment));
		},
		async openPage(url) {
			const {openBrowser} = await import('../../../processes/desktop.ts');
			return await openBrowser(url, environment);
		},
	};
}

/** Threat: a pasted ESC can end the paste, making the remainder count as typed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an argument must not have any
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/**
 * Copies the exact text, except for control characters code never needs.
 *
 * @returns a line about the copied text
 * @throws {ChatError} `output` without any way to copy
 */
async function copyText(
	text: string,
	isPartial: boolean,
	environment: Environment,
): Promise<string> {
	const {copyToDesktop, isRemote} = await import('../../../processes/desktop.ts');
	const clean = text.replace(controls, '');
	const dropped = text.length - clean.length;
	const parts = [
		`copied ${plural(Array.from(clean).length, 'character')}`,
		plural(clean.replace(/\n$/, '').split('\n').length, 'line'),
		...(dropped > 0 ? [`without ${plural(dropped, 'control character')}`] : []),
	];
	const copied = parts.join(', ') + (isPartial ? ' so far' : '');
	// A remote machine's clipboard is not the user's.
	if (!isRemote(environment) && (await copyToDesktop(clean, environment))) return copied;
	const bytes = Buffer.byteLength(clean);
	if (bytes <= maxClipboardBytes) {
		await copyThroughTerminal(clean, environment);
		return `${copied} (through the terminal, which may refuse)`;
	}
	if (isRemote(environment) && (await copyToDesktop(clean, environment))) return copied;
	const limit = plural(maxClipboardBytes, 'byte');
	const message = `the clipboard of a terminal takes at most ${limit}, not ${plural(bytes, 'byte')}`;
	throw new ChatError('output', `${message}; /save writes them to a file`);
}

async function copyThroughTerminal(text: string, environment: Environment): Promise<void> {
	const {copyToTmux} = await import('../../../processes/desktop.ts');
	if (await copyToTmux(text, environment)) return;
	if (!canDraw(environment.variables)) {
		throw new ChatError('output', 'this terminal has no clipboard; /save writes to a file');
	}
	await createStdoutWriter(environment.stdout).write(
		clipboardSequence(text, environment.variables),
	);
}
