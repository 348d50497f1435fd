/**
 * One stream of growing text. Holds back the first half of a surrogate pair until the second
 * comes, so that no delta ends inside a character (JSON escapes may split one over two chunks).
 */
import type {ChatEvent} from '../../chat/event.ts';

export interface TextChannel {
	push(text: string, events: ChatEvent[]): void;
	/** Lets go of what is held back; nothing follows. */
	end(events: ChatEvent[]): void;
	/** No text has come yet. */
	readonly isEmpty: boolean;
	/** Nothing but white space has come yet. */
	readonly isBlank: boolean;
}

/** @param toEvent makes the event of a piece of text, which is never empty */
export function createTextChannel(toEvent: (text: string) => ChatEvent): TextChannel {
	let held = '';
	let isEmpty = true;
	let isBlank = true;
	return {
		push(text, events) {
			if (text === '') return;
			const whole = held + text;
			const last = whole.charCodeAt(whole.length - 1);
			const isSplit = last >= 0xd800 && last <= 0xdbff;
			const ready = isSplit ? whole.slice(0, -1) : whole;
			held = isSplit ? whole.slice(-1) : '';
			isEmpty = false;
			isBlank &&= !/\S/.test(text);
			if (ready !== '') events.push(toEvent(ready));
		},
		end(events) {
			if (held !== '') events.push(toEvent(held));
			held = '';
		},
		get isEmpty() {
			return isEmpty;
		},
		get isBlank() {
			return isBlank;
		},
	};
}
