/**
 * Collects events from one network read. Consecutive text pieces become one event: chunking makes
 * no difference.
 */
import type {ChatEvent} from '../../chat/event.ts';

export interface EventBatch {
	add(event: ChatEvent): void;
	createChannel(toEvent: (text: string) => ChatEvent): TextChannel;
	/** The events since the last call. */
	take(): readonly ChatEvent[];
}

/**
 * A growing text. Holds back half a surrogate pair until its other half arrives, so that no event
 * ends inside a character: JSON escapes may split a pair between chunks.
 */
export interface TextChannel {
	push(text: string): void;
	/** Releases held-back text, because this part ends. */
	end(): void;
	/** The text so far is white space. */
	readonly isBlank: boolean;
}

/** @param createFirst makes the event before all others, once there are any */
export function createEventBatch(createFirst: () => ChatEvent): EventBatch {
	let events: ChatEvent[] = [];
	let isStarted = false;
	/** Turns the most recently grown channel's text into an event. */
	let flush: (() => void) | undefined;

	const start = () => {
		if (!isStarted) events.push(createFirst());
		isStarted = true;
	};

	return {
		add(event) {
			start();
			flush?.();
			events.push(event);
		},
		createChannel(toEvent) {
			let pending = '';
			let isBlank = true;
			const release = (text: string) => {
				isBlank &&= !/\S/.test(text);
				if (text !== '') events.push(toEvent(text));
			};
			const flushWhole = () => {
				flush = undefined;
				const isSplit = isHighSurrogate(pending.charCodeAt(pending.length - 1));
				const end = isSplit ? pending.length - 1 : pending.length;
				release(pending.slice(0, end));
				pending = pending.slice(end);
			};
			return {
				push(text) {
					if (text === '') return;
					start();
					if (flush !== flushWhole) flush?.();
					flush = flushWhole;
					pending += text;
				},
				end() {
					flush?.();
					release(pending);
					pending = '';
				},
				get isBlank() {
					return isBlank && !/\S/.test(pending);
				},
			};
		},
		take() {
			flush?.();
			const taken = events;
			events = [];
			return taken;
		},
	};
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code <= 0xdbff;
}
