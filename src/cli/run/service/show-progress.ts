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
	const {stderr, terminal, variables} = environment;
	if (isQuiet) return {show() {}, end() {}};
	if (!stderr.isTerminal || decidePlain(isPlain, variables)) {
		printInfo(title, environment);
		return {show() {}, end() {}};
	}
	const writer = createStderrWriter(stderr);
	const startedAt = environment.now();
	let isShown = false;
	return {
		show(detail) {
			isShown = true;
			const seconds = Math.floor((environment.now() - startedAt) / 1000);
			const width = (terminal?.size().columns ?? 80) - 1;
			const time = `, ${seconds} s`;
			const head = truncateToWidth(stripToLine(`chat: ${title}`), width - time.length);
			const text = `${head}${time}  ${stripToLine(detail)}`;
			void writer.write(safe`\r\x1b[K${stripToLine(truncateToWidth(text, width))}`);
		},
		end() {
			if (isShown) void writer.write(safe`\r\x1b[K`);
			isShown = false;
		},
	};
}
