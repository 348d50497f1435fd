/** Asks questions on a terminal, one below the other. */
import type {Environment} from '../../environment.ts';
import type {InterruptSignal} from '../../errors.ts';
import {createStderrWriter} from '../../output/streams.ts';
import {decideColor, decidePlain} from '../../terminal/capabilities.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {createKeyReader} from '../../terminal/keys/key-reader.ts';
import {joinSafe, type SafeText, safe, stripToLine, stripUnsafe} from '../../terminal/safe-text.ts';
import {createStyler, type Styler} from '../../terminal/style.ts';
import {truncateToWidth} from '../../terminal/width.ts';
import {
	type CommandQuestion,
	drawRows,
	isSecret,
	type PromptRow,
	type PromptRows,
	press,
	pressInLine,
	type RowSize,
	spokenLines,
	wrapRows,
} from './command-question.ts';

export interface Prompter {
	/** Prints a line, which may be any text. */
	say(text: string): Promise<void>;
	/** @throws the signal's reason */
	ask<Answer>(question: CommandQuestion<Answer>): Promise<Answer>;
	/** Releases the terminal. */
	close(): void;
}

export type PrompterOptions = {
	/** Whether the user has chosen plain lines. */
	readonly isPlain: boolean;
	readonly signal: AbortSignal;
	/** Aborts the signal, after Ctrl-C or the terminal's end. */
	readonly interrupt: (name: InterruptSignal) => void;
};

export function openPrompter(environment: Environment, options: PrompterOptions): Prompter {
	const {stdin, stderr, terminal, variables} = environment;
	const {signal, interrupt} = options;
	const isPlain = decidePlain(options.isPlain, variables);
	const writer = createStderrWriter(stderr);
	const style = createStyler({hasColor: decideColor('auto', variables)});
	/** Undefined between two questions: such keys answer nothing. */
	let onKey: ((key: KeyInput) => void) | undefined;
	const reader = createKeyReader(stdin.read(), {
		onKeys(keys) {
			for (const key of keys) {
				if (key.type === 'key' && chordOf(key) === 'ctrl+c') interrupt('SIGINT');
				else onKey?.(key);
			}
		},
		// A terminal with line editing ends the input at Ctrl-D.
		onEnd: () => interrupt(isPlain ? 'SIGINT' : 'SIGHUP'),
	});
	// Set before the first question: not even an early key is echoed.
	stdin.setRawMode?.(!isPlain);
	reader.start();

	const rowSize = (): RowSize => {
		const {columns, rows} = terminal?.size() ?? {columns: 80, rows: 24};
		return {height: Math.max(4, rows - 2), width: columns - 1};
	};
	/** Shows a question in rows, which each key draws again. */
	const createScreen = () => {
		let height = 0;
		const draw = ({rows, cellsAfter}: PromptRows) => {
			const lines = joinLines(rows.map((row) => formatRow(row, rowSize().width, style)));
			void writer.write(joinSafe(eraseRows(height), lines, moveLeft(cellsAfter)));
			height = rows.length;
		};
		return {
			press,
			show: (question: CommandQuestion<unknown>) => draw(drawRows(question, rowSize())),
			end(shown = '') {
				draw({rows: wrapRows(shown, rowSize().width), cellsAfter: 0});
				void writer.write(safe`\n`);
			},
		};
	};
	/** Shows lines; the terminal echoes typing, except for a secret. */
	const createLines = () => ({
		press: pressInLine,
		show(_question: CommandQuestion<unknown>, lines?: readonly string[]) {
			const text = lines && joinLines(lines.map((line) => stripToLine(line)));
			if (text !== undefined) void writer.write(safe`${text} `);
		},
		end(shown?: string) {
			if (shown !== undefined) void writer.write(safe`${stripToLine(shown)}\n`);
		},
	});
	const answerOf = <Answer>(first: CommandQuestion<Answer>) =>
		new Promise<Answer>((resolve, reject) => {
			signal.throwIfAborted();
			// The input may end right after the answer, before a promise would tell.
			const end = () => {
				onKey = undefined;
				signal.removeEventListener('abort', stop);
			};
			const stop = () => {
				end();
				void writer.write(safe`\n`);
				reject(signal.reason);
			};
			signal.addEventListener('abort', stop, {once: true});
			if (isPlain) stdin.setRawMode?.(isSecret(first));
			const view = isPlain ? createLines() : createScreen();
			let question = first;
			view.show(question, spokenLines(question));
			onKey = (key) => {
				const step = view.press(question, key);
				if (step === undefined) return;
				if ('question' in step) {
					question = step.question;
					return view.show(question, step.lines);
				}
				end();
				view.end(step.shown);
				resolve(step.answer);
			};
		});

	return {
		async say(text) {
			const line = safe`${stripUnsafe(text.replace(/\s/g, ' '))}\n`;
			// A screen reader speaks a line as a whole.
			await (isPlain ? writer.write(line) : writer.writeWords(line));
		},
		ask: answerOf,
		close() {
			reader.stop();
			stdin.setRawMode?.(false);
		},
	};
}

function joinLines(lines: readonly SafeText[]): SafeText {
	return lines.reduce((all, line) => safe`${all}\n${line}`);
}

function moveLeft(cells: number): SafeText {
	return joinSafe(...Array.from({length: cells}, () => safe`\x1b[D`));
}

/** Goes to the first row. `tmux` would scroll away a window erased from its first cell on. */
function eraseRows(count: number): SafeText {
	const above = Array.from({length: Math.max(0, count - 1)}, () => safe`\x1b[A\x1b[2K`);
	return count === 0 ? safe`` : joinSafe(safe`\r\x1b[2K`, ...above);
}

function formatRow({text, isChosen = false}: PromptRow, width: number, style: Styler): SafeText {
	const line = stripUnsafe(truncateToWidth(stripUnsafe(text.replace(/\s/g, ' ')), width));
	return isChosen ? style(line, 'bold') : line;
}
