/** Turns the events of a turn into output and an exit code. */
import type {ChatEvent, ChatEventBatch, Notice} from '../chat/event.ts';
import {type Cost, costOf} from '../cost.ts';
import type {Environment} from '../environment.ts';
import {type ExitCode, toChatError} from '../errors.ts';
import {lineHint, withHint} from '../hint.ts';
import {createJsonlWriter, createJsonWriter} from './json-writer.ts';
import {type AnswerPart, expectCode, selectOutput} from './select-output.ts';
import {createStderrWriter, createStdoutWriter} from './streams.ts';
import {createTextWriter} from './text-writer.ts';
import {
	createTurnResultBuilder,
	exitCodeOfTurn,
	type TurnResult,
	unansweredCalls,
} from './turn-result.ts';
import type {CreateTurnWriter, FinishedTurn, WriterOptions} from './turn-writer.ts';
import {createViewWriter} from './view-writer.ts';

export type OutputOptions = WriterOptions & {readonly format: keyof typeof writers};

/** The output formats. */
const writers = {
	text: createTextWriter,
	json: createJsonWriter,
	jsonl: createJsonlWriter,
} as const satisfies Record<string, CreateTurnWriter>;

/** Hears the events of a turn while they are written. */
export type TurnListener = {
	/** Called when the request has been sent. */
	readonly begin?: () => Promise<void>;
	/** Called before the batch is written; returns notices to be written after it. */
	readonly hear: (batch: ChatEventBatch) => readonly Notice[] | Promise<readonly Notice[]>;
	/** Called once, also when the turn is abandoned because nothing more can be written. */
	readonly end?: (isWritten: boolean) => void;
};

/** A turn that is about to be run. */
export type WrittenTurn = {
	/** Written before the request is made. */
	readonly opening: ChatEventBatch;
	/** The part of the answer from an earlier run, written first. Listeners do not hear it. */
	readonly replay?: ChatEventBatch | undefined;
	readonly events: AsyncIterable<ChatEventBatch>;
	readonly listeners?: readonly TurnListener[];
};

/**
 * Writes the events as they come and returns the exit code.
 *
 * @throws {ChatError} `closed` or `output` when stdout takes no more; the turn is then abandoned
 */
export async function writeTurn(
	{opening, replay, events, listeners = []}: WrittenTurn,
	options: OutputOptions,
	environment: Environment,
): Promise<ExitCode> {
	// Text that is written as it comes need not be kept.
	const isTextKept = options.format !== 'text' || options.part.type !== 'all';
	const builder = createTurnResultBuilder(() => environment.now(), isTextKept);
	const writer = writerOf(options)(options, {
		stdout: createStdoutWriter(environment.stdout),
		stderr: createStderrWriter(environment.stderr),
	});
	const write = async (batch: ChatEventBatch) => {
		const shown = batch.map(completeNotice);
		for (const event of shown) {
			builder.add(event);
			if (event.type === 'text-delta') expectCode(event.text, options.part);
		}
		await writer.write(shown);
	};
	if (opening.length > 0) await write(opening);
	writer.begin?.();
	const source = events[Symbol.asyncIterator]();
	const sent = source.next();
	let isWritten = false;
	try {
		for (const {begin} of listeners) await begin?.();
		if (replay !== undefined) await write(replay);
		for (let next = await sent; next.done !== true; next = await source.next()) {
			const notices: Notice[] = [];
			for (const {hear} of listeners) notices.push(...(await hear(next.value)));
			await write(next.value);
			if (notices.length > 0) await write(notices.map((notice) => ({type: 'notice', notice})));
		}
		isWritten = true;
	} finally {
		await source.return?.();
		for (const {end} of listeners) end?.(isWritten);
	}
	const turn = await finishTurn(builder.build(), options.part);
	await writer.end({...turn, cost: await findCost(turn.result, options)});
	return exitCodeOfTurn(turn.result, turn.dataError);
}

async function findCost(
	{totalUsage}: TurnResult,
	{format, isUsageShown, findPrices}: OutputOptions,
): Promise<Cost | undefined> {
	const isShown = format !== 'text' || isUsageShown;
	return isShown && totalUsage ? costOf(totalUsage, await findPrices?.()) : undefined;
}

function completeNotice(event: ChatEvent): ChatEvent {
	return event.type === 'notice'
		? {...event, notice: {...event.notice, message: withHint(event.notice, lineHint)}}
		: event;
}

/** A view shows whole answers only; a part of one is written as text. */
function writerOf({format, part, openView}: OutputOptions): CreateTurnWriter {
	const isViewed = format === 'text' && part.type === 'all';
	return isViewed && openView !== undefined ? createViewWriter(openView) : writers[format];
}

async function finishTurn(result: TurnResult, part: AnswerPart): Promise<FinishedTurn> {
	const isOnlyCalls = result.answer === '' && unansweredCalls(result).length > 0;
	if (isOnlyCalls) return {result, selected: ''};
	if (part.type === 'json' && (result.error !== undefined || result.isCut)) return {result};
	try {
		return {result, selected: await selectOutput(result.answer, part)};
	} catch (error) {
		// A cut answer is reported as such.
		return result.isCut ? {result} : {result, dataError: toChatError(error)};
	}
}
