/** Writes a turn as one JSON object, or every event as a line and that object last. */
import {toJsonLine} from '../json.ts';
import {stripUnsafe} from '../terminal/safe-text.ts';
import {eventToJson, resultToJson} from './json-shape.ts';
import {formatFailure, formatReport, isReportEvent} from './messages.ts';
import type {StdoutWriter} from './streams.ts';
import type {CreateTurnWriter} from './turn-writer.ts';

export const createJsonWriter: CreateTurnWriter = (options, {stdout, stderr}) => ({
	async write(batch) {
		for (const event of batch) {
			if (!isReportEvent(event)) continue;
			// Other notices are only in the JSON.
			await stderr.write(formatReport(event, {redact: options.redact, isQuiet: true}));
		}
	},
	async end(turn) {
		await writeLines(stdout, [resultToJson(turn.result, turn.dataError, options)]);
		await stderr.write(formatFailure(turn, options));
	},
});

export const createJsonlWriter: CreateTurnWriter = (options, streams) => {
	const json = createJsonWriter(options, streams);
	return {
		async write(batch) {
			await json.write(batch);
			const values = batch.flatMap((event) => eventToJson(event, options.redact) ?? []);
			await writeLines(streams.stdout, values);
		},
		async end(turn) {
			const last = {type: 'result', ...resultToJson(turn.result, turn.dataError, options)};
			await writeLines(streams.stdout, [last]);
			await streams.stderr.write(formatFailure(turn, options));
		},
	};
};

/** The JSON has no control characters, but a terminal gets only what the sanitizer has seen. */
function writeLines(stdout: StdoutWriter, values: readonly object[]): Promise<void> | undefined {
	const text = values.map(toJsonLine).join('');
	return stdout.isTerminal ? stdout.write(stripUnsafe(text)) : stdout.writeExact(text);
}
