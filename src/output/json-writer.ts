/** Writes a turn as one JSON object, or every event as a line and that object last. */
import {toJsonLine} from '../json.ts';
import {stripUnsafe} from '../terminal/safe-text.ts';
import {eventToJson, resultToJson} from './json-shape.ts';
import {formatFailure, formatReport, isReportEvent} from './messages.ts';
import type {StdoutWriter} from './streams.ts';
import type {CreateTurnWriter} from './turn-writer.ts';

function createWriter(hasEvents: boolean): CreateTurnWriter {
	return (options, {stdout, stderr}) => ({
		async write(batch) {
			for (const event of batch) {
				if (!isReportEvent(event)) continue;
				// Other notices are only in the JSON.
				await stderr.writeWords(formatReport(event, {redact: options.redact, isQuiet: true}));
			}
			if (!hasEvents) return;
			await writeLines(
				stdout,
				batch.flatMap((event) => eventToJson(event, options.redact) ?? []),
			);
		},
		async end(turn) {
			const result = resultToJson(turn, options);
			const {error} = result;
			const failure = turn.result.error === undefined ? [] : [{type: 'error', error}];
			await writeLines(stdout, hasEvents ? [...failure, {type: 'result', ...result}] : [result]);
			await stderr.writeWords(formatFailure(turn, options));
		},
	});
}

export const createJsonWriter = createWriter(false);

export const createJsonlWriter = createWriter(true);

/** The JSON has no control characters, but a terminal gets only what the sanitizer has seen. */
function writeLines(stdout: StdoutWriter, values: readonly object[]): Promise<void> | undefined {
	const text = values.map(toJsonLine).join('');
	return stdout.isTerminal ? stdout.write(stripUnsafe(text)) : stdout.writeExact(text);
}
