/** Gathers an answer's unsaved part, so the process ending loses little of it. */
import type {ChatEvent} from '../chat/event.ts';

const maxMs = 5000;
const maxBytes = 16 * 1024;

/** Milliseconds since the prompt, and what has come since the last time. */
type NewEvents = {readonly ms: number; readonly events: readonly ChatEvent[]};

export interface PartialAnswer {
	/** Returns whether the unsaved part is due for writing. */
	add(events: readonly ChatEvent[], now: number): boolean;
	take(now: number): NewEvents;
}

/** @param since when the turn started, on the clock of `now` */
export function createPartialAnswer(since: number): PartialAnswer {
	let fresh: ChatEvent[] = [];
	let bytes = 0;
	let lastWrite = since;
	const push = (event: ChatEvent) => {
		const last = fresh.at(-1);
		const isText = 'text' in event && event.type !== 'tool-call-delta';
		if (isText) bytes += Buffer.byteLength(event.text);
		if (isText && last?.type === event.type) {
			fresh[fresh.length - 1] = {...last, text: last.text + event.text};
		} else {
			fresh.push(event);
		}
	};
	return {
		add(events, now) {
			let isUrgent = false;
			for (const event of events) {
				if (!isKept[event.type]) continue;
				push(event);
				// A tool may have had an effect.
				isUrgent ||= event.type === 'tool-call' || event.type === 'tool-result';
			}
			if (fresh.length === 0) return false;
			return isUrgent || bytes >= maxBytes || now - lastWrite >= maxMs;
		},
		take(now) {
			const [events, rest] = splitAtWord(fresh);
			fresh = rest;
			bytes = 0;
			lastWrite = now;
			return {ms: Math.max(0, Math.round(now - since)), events};
		},
	};
}

/** More than any secret. */
const maxWord = 512;

/** Keeps back the last word, perhaps a secret's beginning: only whole ones are found. */
function splitAtWord(events: ChatEvent[]): [ChatEvent[], ChatEvent[]] {
	const last = events.at(-1);
	if (last === undefined || !('text' in last)) return [events, []];
	const end = startOfLastWord(last.text);
	if (end === last.text.length || last.text.length - end > maxWord) return [events, []];
	const before = end === 0 ? [] : [{...last, text: last.text.slice(0, end)}];
	return [[...events.slice(0, -1), ...before], [{...last, text: last.text.slice(end)}]];
}

/** Looks no further back than the longest word kept back. */
function startOfLastWord(text: string): number {
	let start = text.length;
	const first = Math.max(0, start - maxWord - 1);
	while (start > first && !/\s/.test(text.charAt(start - 1))) start -= 1;
	return start;
}

/** Whether it is part of an answer. */
const isKept: Readonly<Record<ChatEvent['type'], boolean>> = {
	'step-start': true,
	'reasoning-delta': true,
	'reasoning-end': true,
	'text-delta': true,
	'refusal-delta': true,
	continuation: true,
	'tool-call-start': true,
	'tool-call-delta': false,
	'tool-call': true,
	'step-end': true,
	'tool-decision': false,
	'tool-result': true,
	'answer-rejected': true,
	'answer-unwrapped': false,
	'quotations-checked': false,
	notice: false,
	trace: false,
	'turn-end': false,
	error: false,
};
