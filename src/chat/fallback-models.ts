/** Asks another model if one cannot answer: only before the first output, and announced. */
import {type ChatError, toChatError} from '../errors.ts';
import type {ChatEventBatch} from './event.ts';
import type {StepOptions, StreamChat} from './stream-chat.ts';

export type Fallback<Opened extends OpenFallback = OpenFallback> = {
	/** The model or profile, for messages. */
	readonly name: string;
	/** Whether the service is that of the first model. */
	readonly isSameService: boolean;
	/** @throws {ChatError} if it cannot be used */
	open(signal: AbortSignal): Promise<Opened>;
};

export type OpenFallback = {
	/** Undefined for the first model's client. */
	readonly streamChat: StreamChat | undefined;
	/** Returns the options for this model. */
	change(options: StepOptions): StepOptions;
};

/**
 * Returns a client for one turn, which stays with the model that answers.
 *
 * @param onMove called with each model that is asked instead
 */
export function createFallbackChat<Opened extends OpenFallback>(
	first: StreamChat,
	fallbacks: readonly Fallback<Opened>[],
	onMove: (opened: Opened) => void,
): StreamChat {
	const waiting = [...fallbacks];
	let current: OpenFallback = {streamChat: first, change: (options) => options};
	let isFirstLost = false;

	/** Opens the next usable one; undefined without any. */
	const openNext = async function* (
		failure: ChatError,
		signal: AbortSignal,
	): AsyncGenerator<ChatEventBatch, OpenFallback | undefined> {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const {name, isSameService} = next;
			if (isSameService && isFirstLost) continue;
			try {
				const opened = await next.open(signal);
				onMove(opened);
				yield [announce(`${failure.message}; asking ${name} instead`)];
				return opened;
			} catch (error) {
				signal.throwIfAborted();
				yield [announce(`${name} cannot be asked instead: ${toChatError(error).message}`)];
			}
		}
		return undefined;
	};

	return async function* ({messages, options}, signal) {
		for (;;) {
			const {streamChat = first, change} = current;
			let isShown = false;
			try {
				for await (const batch of streamChat({messages, options: change(options)}, signal)) {
					isShown ||= batch.some(({type}) => type !== 'notice' && type !== 'trace');
					yield batch;
				}
				return;
			} catch (error) {
				signal.throwIfAborted();
				const failure = toChatError(error);
				if (isShown || !isReplaceable(failure)) throw failure;
				isFirstLost ||= streamChat === first && isLost(failure);
				const next = yield* openNext(failure, signal);
				if (next === undefined) throw failure;
				current = next;
			}
		}
	};
}

/** Whether another model may answer: this one is overloaded, rate-limited or gone. */
function isReplaceable({kind, details}: ChatError): boolean {
	return ['busy', 'unavailable', 'timeout'].includes(kind) || details.isModelUnknown === true;
}

/** Whether the service was not reached at all. */
function isLost({kind, details}: ChatError): boolean {
	return kind !== 'busy' && details.status === undefined;
}

function announce(message: string) {
	return {type: 'notice', notice: {code: 'model-fallback', message}} as const;
}
