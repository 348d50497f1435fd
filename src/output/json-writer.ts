/** The whole turn as one JSON object, or every event as a line with that object last. */
import type {ChatEvent, Notice} from '../chat/event.ts';
import type {ChatError} from '../errors.ts';
import {stripUnsafe} from '../terminal/safe-text.ts';
import {formatError, formatNotice} from './error-lines.ts';
import {eventToJson, resultToJson, toJsonLine} from './json-shape.ts';
import type {MessageSink, Sink} from './sink.ts';
import type {CreateTurnWriter, WriterOptions} from './turn-writer.ts';

export const createJsonWriter: CreateTurnWriter = (options, {stdout, stderr}) => ({
	async write(batch) {
		for (const event of batch) {
			if (event.type !== 'notice' || !isForStderr(event.notice)) continue;
			await stderr.write(formatNotice(event.notice, options.redact));
		}
	},
	async end({result, dataError}) {
		await writeLines(stdout, [resultToJson(result, dataError, options)]);
		await writeError(result.error ?? dataError, options, stderr);
	},
});

export const createJsonlWriter: CreateTurnWriter = (options, outlet) => {
	const json = createJsonWriter(options, outlet);
	return {
		async write(batch) {
			await json.write(batch);
			const events = batch.filter((event) => !isTrace(event));
			await writeLines(
				outlet.stdout,
				events.map((event) => eventToJson(event, options.redact)),
			);
		},
		async end({result, dataError}) {
			const last = {type: 'result', ...resultToJson(result, dataError, options)};
			await writeLines(outlet.stdout, [last]);
			await writeError(result.error ?? dataError, options, outlet.stderr);
		},
	};
};

/** Other notices are in the JSON. */
function isForStderr({code}: Notice): boolean {
	return code === 'trace' || code === 'embedded-service';
}

function isTrace(event: ChatEvent): boolean {
	return event.type === 'notice' && event.notice.code === 'trace';
}

/** JSON escapes all controls; a terminal is still given only what the sanitizer has seen. */
function writeLines(stdout: Sink, values: readonly object[]): Promise<void> | undefined {
	const text = values.map(toJsonLine).join('');
	return stdout.isTerminal ? stdout.write(stripUnsafe(text)) : stdout.writeExact(text);
}

async function writeError(
	error: ChatError | undefined,
	options: WriterOptions,
	stderr: MessageSink,
): Promise<void> {
	if (error !== undefined) await stderr.write(formatError(error, options));
}
