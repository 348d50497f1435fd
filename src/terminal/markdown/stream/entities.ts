/**
 * Decodes HTML character references: all numeric ones and the HTML 4 names. Unknown names stay as
 * typed. The result is untrusted text: sanitise it afterwards.
 */

/** Names in character order, from U+00A0 to U+00FF. */
const latinNames =
	'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const otherNames: Readonly<Record<string, string>> = {
	'&<>"\'': 'amp lt gt quot apos',
	ŒœŠšŸƒˆ: 'OElig oelig Scaron scaron Yuml fnof circ',
	ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ:
		'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho',
	ΣΤΥΦΧΨΩ: 'Sigma Tau Upsilon Phi Chi Psi Omega',
	αβγδεζηθικλμνξοπρ:
		'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho',
	ςστυφχψωϑϒϖ: 'sigmaf sigma tau upsilon phi chi psi omega thetasym upsih piv',
	'–—‘’‚“”„†‡•…‰′″‹›‾⁄€™':
		'ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo dagger Dagger bull hellip permil prime Prime lsaquo rsaquo oline frasl euro trade',
	'ℑ℘ℜℵ←↑→↓↔↵⇐⇑⇒⇓⇔':
		'image weierp real alefsym larr uarr rarr darr harr crarr lArr uArr rArr dArr hArr',
	'∀∂∃∅∇∈∉∋∏∑−∗√∝∞∠∧∨∩∪∫∴∼≅≈≠≡≤≥':
		'forall part exist empty nabla isin notin ni prod sum minus lowast radic prop infin ang and or cap cup int there4 sim cong asymp ne equiv le ge',
	'⊂⊃⊄⊆⊇⊕⊗⊥⋅⌈⌉⌊⌋⟨⟩◊♠♣♥♦':
		'sub sup nsub sube supe oplus otimes perp sdot lceil rceil lfloor rfloor lang rang loz spades clubs hearts diams',
	'   ': 'ensp emsp thinsp',
	'\u200c\u200d': 'zwnj zwj',
	'✓': 'check',
};

const characterOfName: ReadonlyMap<string, string> = new Map([
	...latinNames.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
	...Object.entries(otherNames).flatMap(([characters, names]) =>
		names.split(' ').map((name, index) => [name, characters.charAt(index)] as const),
	),
]);

const reference = /&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-zA-Z][a-zA-Z0-9]{1,8}));/g;

export function decodeEntities(text: string): string {
	if (!text.includes('&')) return text;
	return text.replace(reference, (typed, hexadecimal, decimal, name) => {
		if (name !== undefined) return characterOfName.get(name) ?? typed;
		return characterOf(
			hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16),
		);
	});
}

function characterOf(code: number): string {
	const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
	return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}
