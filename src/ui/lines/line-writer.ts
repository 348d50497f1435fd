import type {Terminal} from '../../environment.ts';
import {type SafeText, safe} from '../../terminal/safe-text.ts';

/** Appends whole lines to a terminal; the last line may be a prompt, where the user types. */
export interface LineWriter {
	write(lines: readonly SafeText[]): void;
	/** Writes a text before the cursor, unless one is there already. */
	prompt(text: SafeText): void;
	/** The user has ended the line with the prompt. */
	entered(): void;
	/** The terminal has written something into the line, such as `^C`. */
	echoed(): void;
	/** Ends the line with the prompt. */
	end(): void;
}

export function createLineWriter({output}: Pick<Terminal, 'output'>): LineWriter {
	let isOpen = false;
	const put = (text: SafeText) => output.write(text);
	return {
		write(lines) {
			if (lines.length === 0) return;
			const start = isOpen ? safe`\n` : safe``;
			isOpen = false;
			put(lines.reduce((text, line) => safe`${text}${line}\n`, start));
		},
		prompt(text) {
			if (isOpen) return;
			isOpen = true;
			put(text);
		},
		entered() {
			isOpen = false;
		},
		echoed() {
			isOpen = false;
			put(safe`\n`);
		},
		end() {
			if (isOpen) put(safe`\n`);
			isOpen = false;
		},
	};
}
