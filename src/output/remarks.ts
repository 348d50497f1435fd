/** What is said on stderr around an answer: notices, usage, the failure. */
import type {Notice} from '../chat/event.ts';
import {formatFailure, formatLine, formatNotice, vitalNotices} from './messages.ts';
import type {StderrWriter} from './streams.ts';
import type {FinishedTurn, WriterOptions} from './turn-writer.ts';
import {formatUsage} from './usage-line.ts';

export interface StderrReporter {
	write(notice: Notice): Promise<void>;
	/** A line that is no notice. */
	tell(text: string): Promise<void>;
	/** Keeps a notice for the end: it must not break into an answer that is being shown. */
	defer(notice: Notice): void;
	/**
	 * All that was kept, and what is to be said of the whole turn.
	 *
	 * @param isAnswerShown whether a person has read the answer, or the refusal, elsewhere
	 */
	end(turn: FinishedTurn, isAnswerShown?: boolean): Promise<void>;
}

export function createStderrReporter(options: WriterOptions, stderr: StderrWriter): StderrReporter {
	const deferred: Notice[] = [];
	const write = async (notice: Notice) => {
		const isWanted = !options.isQuiet || vitalNotices.has(notice.code);
		if (isWanted) await stderr.write(formatNotice(notice, options.redact));
	};
	return {
		write,
		async tell(text) {
			if (!options.isQuiet) await stderr.write(formatLine(text, options.redact));
		},
		defer: (notice) => void deferred.push(notice),
		async end(turn, isAnswerShown) {
			for (const notice of deferred) await write(notice);
			// A run that made no request has used nothing.
			if (options.isUsageShown && turn.result.attempts > 0) {
				await stderr.write(formatUsage(turn.result));
			}
			await stderr.write(formatFailure(turn, options, isAnswerShown));
		},
	};
}
