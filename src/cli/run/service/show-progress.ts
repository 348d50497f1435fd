/** Shows on stderr how long something has been going on. */
import type {Environment} from '../../../environment.ts';
import {printInfo} from '../../../output/print.ts';
import {createStderrWriter} from '../../../output/streams.ts';
import {decidePlain} from '../../../terminal/capabilities.ts';
import {safe, stripToLine} from '../../../terminal/safe-text.ts';
import {truncateToWidth} from '../../../terminal/width.ts';

export type Progress = {
	/** @param detail any text, shown as far as there is room */
	show(detail: string): void;
	/** Erases the line. May be called more than once. */
	end(): void;
};

/**
 * A changing line on a terminal; elsewhere a line at the start.
 *
 * @param isPlain whether the user has chosen plain lines
 */
export function createProgress(
	title: string,
	isQuiet: boolean,
	environment: Environment,
	isPlain = false,
): Progress {
	const {stderr, variables} = environment;
	if (isQuiet) return {show() {}, end() {}};
	if (!stderr.isTerminal || decidePlain(isPlain, variables)) {
		printInfo(title, environment);
		return {show() {}, end() {}};
	}
	const startedAt = environment.now();
	const line = createStatusLine(environment);
	return {
		show(detail) {
			const seconds = Math.floor((environment.now() - startedAt) / 1000);
			const time = `, ${seconds} s`;
			const head = truncateToWidth(stripToLine(`chat: ${title}`), line.width() - time.length);
			line.show(`${head}${time}  ${stripToLine(detail)}`);
		},
		end: line.end,
	};
}

/** A line on the terminal of stderr that replaces itself. */
export function createStatusLine({stderr, terminal}: Environment) {
	const writer = createStderrWriter(stderr);
	const width = () => (terminal?.size().columns ?? stderr.columns()) - 1;
	let isShown = false;
	return {
		width,
		show(text: string) {
			isShown = true;
			void writer.write(safe`\r\x1b[K${stripToLine(truncateToWidth(stripToLine(text), width()))}`);
		},
		/** Erases the line. May be called more than once. */
		end() {
			if (isShown) void writer.write(safe`\r\x1b[K`);
			isShown = false;
		},
	};
}
