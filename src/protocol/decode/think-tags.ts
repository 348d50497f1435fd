/**
 * Splits a leading `<think>…</think>` from the answer, for services that do not separate their
 * models' reasoning. The tag must be the first non-blank text; anywhere else it belongs to the
 * answer. A closing tag without an opening one stays text: text on the screen cannot be withdrawn.
 */
export interface ThinkTagSplitter {
	push(text: string): SplitText;
	/** Ends the search, because nothing follows or the service separates reasoning; returns the rest. */
	end(): SplitText;
	/** Everything from here on is text. */
	readonly isOver: boolean;
}

export type SplitText = {readonly reasoning: string; readonly text: string};

const opening = '<think>';
const closing = '</think>';
const nothing: SplitText = {reasoning: '', text: ''};

export function createThinkTagSplitter(): ThinkTagSplitter {
	let place: 'start' | 'reasoning' | 'gap' | 'text' = 'start';
	/** Leading blanks; part of the answer if no tag follows. */
	let blanks = '';
	let held = '';

	const push = (text: string): SplitText => {
		if (place === 'text') return {reasoning: '', text};
		if (place === 'start') return start(text);
		held += text;
		return place === 'reasoning' ? reason() : skipGap();
	};

	const start = (text: string): SplitText => {
		const head = held === '' ? text.trimStart() : text;
		blanks += text.slice(0, text.length - head.length);
		held += head;
		if (opening.startsWith(held)) {
			if (held !== opening) return nothing;
		} else if (!held.startsWith(opening)) {
			return release();
		}
		place = 'reasoning';
		blanks = '';
		held = held.slice(opening.length);
		return reason();
	};

	const reason = (): SplitText => {
		const end = held.indexOf(closing);
		if (end === -1) {
			const kept = heldPrefixLength(held);
			const reasoning = held.slice(0, held.length - kept);
			held = held.slice(held.length - kept);
			return {reasoning, text: ''};
		}
		const reasoning = held.slice(0, end);
		place = 'gap';
		held = held.slice(end + closing.length);
		return {reasoning, text: skipGap().text};
	};

	/** Drops blank lines between the closing tag and the answer. */
	const skipGap = (): SplitText => {
		held = held.trimStart();
		return held === '' ? nothing : release();
	};

	const release = (): SplitText => {
		const text = blanks + held;
		blanks = '';
		held = '';
		const isReasoning = place === 'reasoning';
		place = 'text';
		return isReasoning ? {reasoning: text, text: ''} : {reasoning: '', text};
	};

	return {
		push,
		end: release,
		get isOver() {
			return place === 'text';
		},
	};
}

/** Returns the length of a possible beginning of the closing tag at the end. */
function heldPrefixLength(text: string): number {
	for (let length = Math.min(closing.length - 1, text.length); length > 0; length--) {
		if (closing.startsWith(text.slice(-length))) return length;
	}
	return 0;
}
