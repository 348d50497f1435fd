/**
 * Splits a leading `<think>…</think>` off the answer text, for services that do not parse the
 * reasoning of their models.
 *
 * Only the very first non-blank text opens reasoning; anywhere else the tags are the model's own
 * words. A closing tag that nothing opened stays text: what was shown cannot be taken back.
 */
export interface ThinkTagSplitter {
	push(text: string): SplitText;
	/** What was held back, now that nothing follows. */
	end(): SplitText;
	/** The service separates reasoning itself: tags are text from now on. */
	disable(): SplitText;
	/** Whatever follows is text. */
	readonly isOver: boolean;
}

export type SplitText = {readonly reasoning: string; readonly text: string};

const opening = '<think>';
const closing = '</think>';
const nothing: SplitText = {reasoning: '', text: ''};

export function createThinkTagSplitter(): ThinkTagSplitter {
	let place: 'start' | 'reasoning' | 'gap' | 'text' = 'start';
	/** Before all else; it is a part of the answer if no tag follows. */
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
			return release('text');
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

	/** Blank lines between the closing tag and the answer belong to neither. */
	const skipGap = (): SplitText => {
		held = held.trimStart();
		return held === '' ? nothing : release('text');
	};

	const release = (next: 'text'): SplitText => {
		const text = blanks + held;
		blanks = '';
		held = '';
		const isReasoning = place === 'reasoning';
		place = next;
		return isReasoning ? {reasoning: text, text: ''} : {reasoning: '', text};
	};

	return {
		push,
		end: () => (place === 'text' ? nothing : release('text')),
		disable: () => (place === 'text' ? nothing : release('text')),
		get isOver() {
			return place === 'text';
		},
	};
}

/** How many characters at the end could be the beginning of the closing tag. */
function heldPrefixLength(text: string): number {
	for (let length = Math.min(closing.length - 1, text.length); length > 0; length--) {
		if (closing.startsWith(text.slice(-length))) return length;
	}
	return 0;
}
