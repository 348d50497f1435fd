/** A turn from its events to its output and exit code. */
import type {ChatEventBatch} from '../chat/event.ts';
import type {Environment} from '../environment.ts';
import {type ExitCode, toChatError} from '../errors.ts';
import {type AnswerPart, selectPart} from './answer-check.ts';
import {createJsonlWriter, createJsonWriter} from './json-writer.ts';
import {createMessageSink, createSink} from './sink.ts';
import {createTextWriter} from './text-writer.ts';
import {createTurnResultBuilder, exitCodeOfTurn, type TurnResult} from './turn-result.ts';
import type {CreateTurnWriter, FinishedTurn, WriterOptions} from './turn-writer.ts';

export type OutputOptions = WriterOptions & {readonly format: keyof typeof writers};

/** The output formats. */
const writers = {
	text: createTextWriter,
	json: createJsonWriter,
	jsonl: createJsonlWriter,
} as const satisfies Record<string, CreateTurnWriter>;

/**
 * Writes the events as they come and, at the end, what the format adds.
 *
 * @throws {ChatError} `closed` or `output` when stdout takes no more; the turn is then abandoned
 */
export async function writeTurn(
	events: AsyncIterable<ChatEventBatch>,
	options: OutputOptions,
	environment: Environment,
): Promise<ExitCode> {
	const builder = createTurnResultBuilder(() => environment.now());
	const writer = writers[options.format](options, {
		stdout: createSink(environment.stdout),
		stderr: createMessageSink(environment.stderr),
	});
	for await (const batch of events) {
		for (const event of batch) builder.add(event);
		await writer.write(batch);
	}
	const turn = finishTurn(builder.build(), options.part);
	await writer.end(turn);
	return exitCodeOfTurn(turn.result, turn.dataError);
}

function finishTurn(result: TurnResult, part: AnswerPart): FinishedTurn {
	const isOnlyCalls = result.content === '' && result.toolCalls.length > 0;
	if (isOnlyCalls) return {result, selected: '', dataError: undefined};
	try {
		return {result, selected: selectPart(result.content, part), dataError: undefined};
	} catch (error) {
		return {result, selected: undefined, dataError: toChatError(error)};
	}
}
