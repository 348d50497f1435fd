/**
 * Joins a continuation to a cut answer. The model was asked to repeat the answer's end, the anchor,
 * before going on: only an exact repetition proves where the continuation belongs.
 */

/** Unrelated continuations were joined by 40 characters, none by 128. */
const minLength = 128;
const maxLength = 480;
/** The longest text a model may put before the anchor. */
const maxPreamble = 120;
/** A preamble with so much of the answer in it is a failed repetition, or the answer going on. */
const tellingLength = 12;

/**
 * Returns the shortest end of 128 to 480 UTF-16 units occurring once in the answer, from the start
 * of a word if one is near. A shorter answer is its own anchor. Undefined without such an end.
 */
export function findAnchor(answer: string): string | undefined {
	const {length} = answer;
	if (length <= minLength) return answer.trimStart() || undefined;
	const isUnique = (size: number) => answer.indexOf(answer.slice(-size)) === length - size;
	let most = Math.min(maxLength, length);
	if (!isUnique(most)) return undefined;
	// An end longer than a unique one is unique.
	for (let least = minLength; least < most; ) {
		const middle = Math.floor((least + most) / 2);
		if (isUnique(middle)) most = middle;
		else least = middle + 1;
	}
	const start = length - most;
	const first = Math.max(0, length - maxLength);
	return answer.slice(findWordStart(answer, start, first) ?? wholeCharacter(answer, start));
}

/** Models leave out white space, and halves of words, at the start of what they repeat. */
function findWordStart(text: string, from: number, first: number): number | undefined {
	for (let start = from; start >= first; start -= 1) {
		const isAfterGap = start === 0 || /\s/.test(text.charAt(start - 1));
		if (isAfterGap && /\S/.test(text.charAt(start))) return start;
	}
	return undefined;
}

function wholeCharacter(text: string, start: number): number {
	return /[\udc00-\udfff]/.test(text.charAt(start)) ? start - 1 : start;
}

export type Seam =
	| {readonly type: 'waiting'}
	/** `text` follows the answer. */
	| {readonly type: 'joined'; readonly text: string}
	| {readonly type: 'unproved'};

const waiting: Seam = {type: 'waiting'};
const unproved: Seam = {type: 'unproved'};

interface SeamFinder {
	/** Adds a piece of the continuation. Call it only while it waits. */
	push(text: string): Seam;
	/** Decides at the continuation's end. */
	end(): Seam;
}

/**
 * Looks for the anchor. It counts only at the end of a verbatim repetition, or below a preamble of
 * up to 120 units; a short answer has to be repeated whole, from its first character.
 *
 * @param anchor from `findAnchor`
 */
export function createSeamFinder(answer: string, anchor: string): SeamFinder {
	const isShort = anchor.length < minLength;
	let received = '';
	let end = -1;
	/** Where the answer may be being repeated from; undefined as long as a preamble is possible. */
	let starts: readonly number[] | undefined;

	/** Follows a long repetition, at a cost per piece that does not grow. */
	const isStillPossible = (text: string): boolean => {
		if (received.length < maxPreamble + anchor.length) return true;
		starts =
			starts === undefined
				? findAll(answer, received)
				: starts.filter((start) => answer.startsWith(text, start + received.length - text.length));
		return starts.length > 0;
	};
	const isProved = (): boolean => {
		const head = received.slice(0, end - anchor.length);
		if (head.trim() === '' || answer.endsWith(received.slice(0, end))) return true;
		return !isShort && isPreamble(head, answer);
	};
	const judge = (isEnded: boolean): Seam => {
		const text = received.slice(end);
		const rest = text.trimStart();
		// The anchor twice proves nothing.
		if (!isShort && rest.startsWith(anchor)) return unproved;
		if (!isShort && !isEnded && rest !== '' && anchor.startsWith(rest)) return waiting;
		return isProved() ? {type: 'joined', text} : unproved;
	};

	return {
		push(text) {
			const from = Math.max(0, received.length - anchor.length);
			received += text;
			if (end === -1) {
				const found = received.indexOf(anchor, from);
				if (found !== -1) end = found + anchor.length;
			}
			if (end !== -1) return judge(false);
			return isStillPossible(text) ? waiting : unproved;
		},
		end: () => (end === -1 ? unproved : judge(true)),
	};
}

function findAll(text: string, part: string): readonly number[] {
	const places: number[] = [];
	for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
	return places;
}

const fencePattern = /^ {0,3}(?:`{3,}|~{3,})/gm;

/**
 * Whether a text introduces the anchor, with lines of its own. A fence has to be the one open in the
 * answer: that of a block around the anchor would end in the answer.
 */
function isPreamble(text: string, answer: string): boolean {
	if (text.length > maxPreamble) return false;
	const {words = '', line = ''} =
		/^(?<words>[\s\S]*?)(?<line>[^\n]+)\n\s*$/.exec(text)?.groups ?? {};
	if (line.search(fencePattern) === -1) return /[:.!…]\s*$/.test(line) && !hasPartOf(answer, text);
	const isInCode = (answer.match(fencePattern)?.length ?? 0) % 2 === 1;
	return isInCode && !hasPartOf(answer, words);
}

function hasPartOf(answer: string, text: string): boolean {
	for (let at = 0; at + tellingLength <= text.length; at += 1) {
		if (answer.includes(text.slice(at, at + tellingLength))) return true;
	}
	return false;
}
