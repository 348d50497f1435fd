/** Asks questions on a terminal, one below the other. Ctrl-C ends all of them. */
import type {Environment} from '../../environment.ts';
import {type InterruptSignal, interruptedBy} from '../../errors.ts';
import {createStderrWriter} from '../../output/streams.ts';
import {decideColor} from '../../terminal/capabilities.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {createKeyReader} from '../../terminal/keys/key-reader.ts';
import {joinSafe, type SafeText, safe, stripToLine, stripUnsafe} from '../../terminal/safe-text.ts';
import {createStyler, type Styler} from '../../terminal/style.ts';
import {truncateToWidth} from '../../terminal/width.ts';

/** A question as a value: each key makes the next one, or answers it. */
export type Question<Answer> = {
	/** The rows to show, the first one with the question; the cursor is at the end of the last. */
	readonly rows: (size: RowSize) => readonly Row[];
	/** Returns undefined if the key means nothing. */
	readonly next: (key: KeyInput, chord: string) => Step<Answer> | undefined;
};

export type RowSize = {
	/** The rows that may be shown, at least 4. */
	readonly height: number;
	/** The cells of a row. */
	readonly width: number;
};

/** Any text: it is cut to the window and made safe. */
export type Row = {readonly text: string; readonly isChosen?: boolean};

export type Step<Answer> =
	| {readonly question: Question<Answer>}
	| {
			readonly answer: Answer;
			/** The row that stays. */
			readonly shown: string;
	  };

export interface Prompter {
	/** Prints a line, which may be any text. */
	say(text: string): Promise<void>;
	/** @throws {ChatError} `interrupted` after Ctrl-C, a signal, or the end of the terminal */
	ask<Answer>(question: Question<Answer>): Promise<Answer>;
	/** Aborts with the reason of `ask`. */
	readonly signal: AbortSignal;
	interrupt(signal: InterruptSignal): void;
	/** Releases the terminal. */
	close(): void;
}

const maxHeight = 12;

export function openPrompter(environment: Environment): Prompter {
	const {stdin, stderr, terminal, variables} = environment;
	const writer = createStderrWriter(stderr);
	const style = createStyler({hasColor: decideColor('auto', variables)});
	const interruption = new AbortController();
	const interrupt = (signal: InterruptSignal) => interruption.abort(interruptedBy(signal));
	/** Undefined between two questions: such keys answer nothing. */
	let onKey: ((key: KeyInput, chord: string) => void) | undefined;
	const reader = createKeyReader(stdin.read(), {
		onKeys(keys) {
			for (const key of keys) {
				const chord = key.type === 'key' ? chordOf(key) : '';
				if (chord === 'ctrl+c') interrupt('SIGINT');
				else onKey?.(key, chord);
			}
		},
		onEnd: () => interrupt('SIGHUP'),
	});
	// Before the first question, so that not even an early key is echoed.
	stdin.setRawMode?.(true);
	reader.start();
	const rowSize = (): RowSize => {
		const {columns, rows} = terminal?.size() ?? {columns: 80, rows: 24};
		return {height: Math.max(4, Math.min(maxHeight, rows - 2)), width: columns - 1};
	};
	const draw = (rows: readonly Row[], erase: SafeText) => {
		const lines = rows.map((row) => formatRow(row, rowSize().width, style));
		void writer.write(
			joinSafe(
				erase,
				lines.reduce((all, line) => safe`${all}\n${line}`),
			),
		);
	};

	return {
		signal: interruption.signal,
		interrupt,
		async say(text) {
			await writer.write(safe`${stripToLine(text)}\n`);
		},
		ask: <Answer>(first: Question<Answer>) =>
			new Promise<Answer>((resolve, reject) => {
				const {signal} = interruption;
				if (signal.aborted) return reject(signal.reason);
				let question = first;
				let rows: readonly Row[] = [];
				const show = (next: readonly Row[]) => {
					// Of a secret, nothing changes.
					if (next.length === 1 && next[0]?.text === rows[0]?.text && rows.length === 1) return;
					draw(next, eraseRows(rows.length));
					rows = next;
				};
				const end = () => {
					onKey = undefined;
					signal.removeEventListener('abort', onAbort);
					void writer.write(safe`\n`);
				};
				const onAbort = () => {
					end();
					reject(signal.reason);
				};
				const refresh = () => show(question.rows(rowSize()));
				onKey = (key, chord) => {
					const step = question.next(key, chord);
					if (step === undefined) return;
					if ('answer' in step) {
						show([{text: step.shown}]);
						end();
						resolve(step.answer);
						return;
					}
					question = step.question;
					refresh();
				};
				signal.addEventListener('abort', onAbort, {once: true});
				return refresh();
			}),
		close() {
			reader.stop();
			stdin.setRawMode?.(false);
		},
	};
}

function eraseRows(count: number): SafeText {
	if (count === 0) return safe``;
	return count === 1 ? safe`\r\x1b[J` : safe`\r\x1b[${count - 1}A\x1b[J`;
}

function formatRow({text, isChosen = false}: Row, width: number, style: Styler): SafeText {
	const line = stripUnsafe(truncateToWidth(stripUnsafe(text.replace(/\s/g, ' ')), width));
	return isChosen ? style(line, 'bold', 'cyan') : line;
}
