/** Copies a text: with a program of the desktop, or through the terminal. */
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {createStdoutWriter} from '../../../output/streams.ts';
import {copyToDesktop, copyToTmux, isRemote} from '../../../processes/desktop.ts';
import {canDraw} from '../../../terminal/capabilities.ts';
import {clipboardSequence, maxClipboardBytes} from '../../../terminal/osc.ts';
import {plural} from '../../../wording.ts';

/** Threat: a pasted ESC can end the paste, and what follows it counts as typed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are to be found
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/**
 * Copies exactly the text, except for control characters that no code needs.
 *
 * @returns a line about what was copied
 * @throws {ChatError} `output` if there is no way to copy it
 */
export async function copyText(
	text: string,
	{isPartial}: {readonly isPartial: boolean},
	environment: Environment,
): Promise<string> {
	const clean = text.replace(controls, '');
	const dropped = text.length - clean.length;
	const parts = [
		`copied ${plural(Array.from(clean).length, 'character')}`,
		plural(clean.replace(/\n$/, '').split('\n').length, 'line'),
		...(dropped > 0 ? [`without ${plural(dropped, 'control character')}`] : []),
	];
	const copied = parts.join(', ') + (isPartial ? ' so far' : '');
	// The clipboard of this machine may not be the one before the user.
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
	if (await copyToTmux(text, environment)) return;
	if (!canDraw(environment.variables)) {
		throw new ChatError('output', 'this terminal has no clipboard; /save writes to a file');
	}
	await createStdoutWriter(environment.stdout).write(
		clipboardSequence(text, environment.variables),
	);
}
