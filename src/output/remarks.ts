/** What is said on stderr around an answer: notices, usage, the failure. */
import type {Notice} from '../chat/event.ts';
import {formatError, formatNotice, formatRemark} from './error-lines.ts';
import type {MessageSink} from './sink.ts';
import type {FinishedTurn, WriterOptions} from './turn-writer.ts';
import {formatUsage} from './usage-line.ts';

export interface Remarks {
	write(notice: Notice): Promise<void>;
	/** A line that is no notice. */
	tell(text: string): Promise<void>;
	/** Keeps a notice for the end: it must not break into an answer that is being shown. */
	defer(notice: Notice): void;
	/** All that was kept, and what is to be said of the whole turn. */
	end(turn: FinishedTurn): Promise<void>;
}

export function createRemarks(options: WriterOptions, stderr: MessageSink): Remarks {
	const deferred: Notice[] = [];
	const write = async (notice: Notice) => {
		const isWanted = !options.isQuiet || alwaysShown.has(notice.code);
		if (isWanted) await stderr.write(formatNotice(notice, options.redact));
	};
	return {
		write,
		async tell(text) {
			if (!options.isQuiet) await stderr.write(formatRemark(text, options.redact));
		},
		defer: (notice) => void deferred.push(notice),
		async end({result, dataError}) {
			for (const notice of deferred) await write(notice);
			if (options.isUsageShown) await stderr.write(formatUsage(result));
			const error = result.error ?? dataError;
			if (error !== undefined) await stderr.write(formatError(error, options));
		},
	};
}

/** These are no remarks: without them the run would mislead. */
const alwaysShown: ReadonlySet<Notice['code']> = new Set([
	'embedded-service',
	'trace',
	'tool-denied',
]);
