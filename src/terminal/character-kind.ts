/** The meaning of a character to a terminal: the alphabet of `control-sequences.ts`. */

export type CharacterKind =
	| 'printable'
	| 'tab'
	| 'newline'
	| 'return'
	/** U+2028 and U+2029. */
	| 'separator'
	/** BEL, CAN, SUB and ST as one C1 character: each ends a string. */
	| 'terminator'
	| 'escape'
	/** All other C0 and C1 controls, and DEL. */
	| 'control'
	/** The columns of ASCII that sequences consist of; plain text outside them. */
	| 'intermediate'
	| 'parameter'
	| 'final'
	| 'bracket'
	/** `P X ] ^ _`: after ESC they begin DCS, SOS, OSC, PM, APC. */
	| 'opener'
	/** CSI and the five strings as one C1 character. */
	| 'c1Sequence'
	| 'c1String'
	| 'loneSurrogate'
	| 'invisible';

/** Later rows win. */
const kindRanges: ReadonlyArray<readonly [first: number, last: number, kind: CharacterKind]> = [
	[0x00, 0x1f, 'control'],
	[0x07, 0x07, 'terminator'],
	[0x09, 0x09, 'tab'],
	[0x0a, 0x0a, 'newline'],
	[0x0d, 0x0d, 'return'],
	[0x18, 0x18, 'terminator'],
	[0x1a, 0x1a, 'terminator'],
	[0x1b, 0x1b, 'escape'],
	[0x20, 0x2f, 'intermediate'],
	[0x30, 0x3f, 'parameter'],
	[0x40, 0x7e, 'final'],
	[0x50, 0x50, 'opener'],
	[0x58, 0x58, 'opener'],
	[0x5b, 0x5b, 'bracket'],
	[0x5d, 0x5f, 'opener'],
	[0x7f, 0x9f, 'control'],
	[0x90, 0x90, 'c1String'],
	[0x98, 0x98, 'c1String'],
	[0x9b, 0x9b, 'c1Sequence'],
	[0x9c, 0x9c, 'terminator'],
	[0x9d, 0x9f, 'c1String'],
];

const kindOfCode: readonly CharacterKind[] = Array.from(
	{length: 0xa0},
	(_, code) =>
		kindRanges.findLast(([first, last]) => code >= first && code <= last)?.[2] ?? 'printable',
);

/**
 * Everything that is filtered or replaced: controls except tab and LF, line separators, lone
 * surrogates, and all characters without a shape (bidi controls, zero-width characters, fillers, tags,
 * variation selectors 17 to 256, annotation marks). ZWNJ, ZWJ and the first 16 variation selectors
 * stay: scripts and emoji need them.
 */
export const special =
	/(?!\t|\n|\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

export function kindOf(character: string): CharacterKind {
	const code = character.codePointAt(0) ?? 0;
	const kind = kindOfCode[code];
	if (kind !== undefined) return kind;
	if (code === 0x2028 || code === 0x2029) return 'separator';
	if (code >= 0xd800 && code <= 0xdfff) return 'loneSurrogate';
	return special.test(character) ? 'invisible' : 'printable';
}
