/** Reads the text of a PDF with Poppler's `pdftotext`, if it is installed. */
import {Buffer} from 'node:buffer';
import {ChatError} from '../errors.ts';
import {withoutKeys} from '../redact.ts';
import {mebibyte} from '../wording.ts';
import type {Desktop} from './desktop.ts';
import {findSystemProgram} from './find-program.ts';
import {createWholeBuffer} from './output-buffer.ts';
import {runProcess} from './run-process.ts';

const limitMs = 60_000;
const maxTextBytes = 64 * mebibyte;

/** @throws {ChatError} `data` without the program, and for a PDF it cannot read */
export async function readPdfText(
	bytes: Uint8Array,
	name: string,
	desktop: Desktop,
): Promise<string> {
	const program = findSystemProgram('pdftotext', desktop);
	if (program === undefined) {
		throw new ChatError('data', `${name} is a PDF, and pdftotext, which reads it, is missing`, {
			hint: 'Install Poppler (poppler-utils).',
		});
	}
	const stdout = createWholeBuffer();
	const {exitCode} = await runProcess({
		argv: [program, '-q', '-enc', 'UTF-8', '-', '-'],
		cwd: desktop.cwd,
		variables: withoutKeys(desktop.variables),
		stdin: Buffer.from(bytes),
		timeLimitMs: limitMs,
		processes: desktop.processes,
		stdout,
		maxOutputBytes: maxTextBytes,
	});
	if (exitCode !== 0) throw new ChatError('data', `pdftotext cannot read ${name}`);
	return stdout.toText();
}
