/**
 * Writes simple formulas in Unicode characters. All or nothing: one unknown command, or a character
 * without its small form, and the formula stays as typed.
 */
import {decodeEntities} from '../stream/entities.ts';

/** Commands without arguments. Greek letters are looked up as HTML entities. */
const symbols: ReadonlyMap<string, string> = new Map([
	...readPairs(
		'varepsilon ε vartheta ϑ varphi φ varrho ϱ varsigma ς ell ℓ hbar ℏ Re ℜ Im ℑ aleph ℵ ' +
			'infty ∞ partial ∂ nabla ∇ emptyset ∅ varnothing ∅ degree ° circ ∘ prime ′ ' +
			'le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ equiv ≡ cong ≅ sim ∼ simeq ≃ propto ∝ ll ≪ gg ≫ ' +
			'in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ cup ∪ cap ∩ setminus ∖ ' +
			'to → rightarrow → longrightarrow ⟶ leftarrow ← gets ← leftrightarrow ↔ mapsto ↦ ' +
			'Rightarrow ⇒ implies ⟹ Leftarrow ⇐ Leftrightarrow ⇔ iff ⟺ uparrow ↑ downarrow ↓ ' +
			'times × div ÷ cdot · ast ∗ star ⋆ pm ± mp ∓ oplus ⊕ otimes ⊗ ' +
			'sum ∑ prod ∏ int ∫ iint ∬ oint ∮ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ land ∧ wedge ∧ ' +
			'lor ∨ vee ∨ top ⊤ bot ⊥ perp ⊥ parallel ∥ mid | angle ∠ triangle △ therefore ∴ because ∵ ' +
			'dots … ldots … cdots ⋯ vdots ⋮ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ langle ⟨ rangle ⟩ ' +
			'lbrace { rbrace } vert | Vert ‖ backslash \\ { { } } % % $ $ # # _ _ lvert | rvert | bmod mod',
	),
	...nameAll(
		'sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp',
		(name) => name,
	),
	...nameAll('lim max min sup inf det dim gcd ker deg arg Pr mod', (name) => name),
	...nameAll(', : ; quad qquad', () => ' '),
	...nameAll('! left right big Big bigl bigr Bigl Bigr limits displaystyle', () => ''),
	[' ', ' '],
]);

const textCommands = 'text textbf textit mathrm mathbf mathit operatorname'.split(' ');
const doubleStruck = readPairs('R ℝ N ℕ Z ℤ Q ℚ C ℂ P ℙ H ℍ E 𝔼');
const superscripts = readPairs(
	'0 ⁰ 1 ¹ 2 ² 3 ³ 4 ⁴ 5 ⁵ 6 ⁶ 7 ⁷ 8 ⁸ 9 ⁹ + ⁺ - ⁻ = ⁼ ( ⁽ ) ⁾ a ᵃ b ᵇ c ᶜ d ᵈ e ᵉ f ᶠ g ᵍ h ʰ ' +
		'i ⁱ j ʲ k ᵏ l ˡ m ᵐ n ⁿ o ᵒ p ᵖ r ʳ s ˢ t ᵗ u ᵘ v ᵛ w ʷ x ˣ y ʸ z ᶻ T ᵀ ∘ ° ° ° ′ ′ ∗ * * *',
);
const subscripts = readPairs(
	'0 ₀ 1 ₁ 2 ₂ 3 ₃ 4 ₄ 5 ₅ 6 ₆ 7 ₇ 8 ₈ 9 ₉ + ₊ - ₋ = ₌ ( ₍ ) ₎ a ₐ e ₑ h ₕ i ᵢ j ⱼ k ₖ l ₗ m ₘ ' +
		'n ₙ o ₒ p ₚ r ᵣ s ₛ t ₜ u ᵤ v ᵥ x ₓ β ᵦ γ ᵧ ρ ᵨ φ ᵩ χ ᵪ',
);
const scripts = [...superscripts.values(), ...subscripts.values()].join('');
/** A number or a name, which needs no parentheses. */
const operand = new RegExp(`^(?:∂? ?\\p{L}+|\\d[\\d.,]*)[${scripts}]*$|^√?\\([^()]*\\)$`, 'u');
/** An expression needing parentheses above a fraction. */
const sum = /.[-+±∓/=<>,\s]/;

function readPairs(text: string): ReadonlyMap<string, string> {
	const pairs = text.matchAll(/(\S+) (\S+)/g);
	return new Map([...pairs].map(([, name = '', shown = '']) => [name, shown]));
}

function nameAll(names: string, show: (name: string) => string) {
	return names.split(' ').map((name): [string, string] => [name, show(name)]);
}

/** Returns a formula, with its marks, in Unicode; undefined unless simple, or for other text. */
export function writeMath(raw: string): string | undefined {
	const isSingle = /^\$[^$]/.test(raw);
	const source = (isSingle ? raw.slice(1, -1) : raw.slice(2, -2)).trim();
	return isSingle && !readsAsMath(source) ? undefined : write(source);
}

/** Whether the text between two dollars can be neither prices nor shell variables. */
function readsAsMath(source: string): boolean {
	const typed = source.replace(/\\[a-z]+(?:\{[^{}]*\})?/gi, '');
	return !/[a-z]{3}/i.test(typed) && (/[\\^_=]/.test(source) || !/[a-z]{2}/i.test(typed));
}

const maxDepth = 8;

function write(source: string): string | undefined {
	let index = 0;
	let depth = 0;
	let isSimple = true;
	const fail = () => {
		isSimple = false;
		return '';
	};

	/** Reads up to a group's end, or the formula's. */
	const sequence = (close?: '}'): string => {
		let text = '';
		depth += 1;
		if (depth > maxDepth) return fail();
		while (index < source.length && source[index] !== close) text += atom();
		if (close !== undefined && index === source.length) return fail();
		index += 1;
		depth -= 1;
		return tidy(text);
	};
	const atom = (): string => {
		const character = String.fromCodePoint(source.codePointAt(index) ?? 0);
		index += character.length;
		switch (character) {
			case '\\':
				return command();
			case '{':
				return sequence('}');
			case '^':
				return script(superscripts);
			case '_':
				return script(subscripts);
			case "'":
				return '′';
			case '~':
			case '\n':
				return ' ';
			case '}':
			case '&':
			case '$':
			case '`':
				return fail();
			default:
				return character;
		}
	};
	const argument = (): string => {
		while (source[index] === ' ') index += 1;
		// An optional argument, as a cube root has, or none.
		return index >= source.length || source[index] === '[' ? fail() : atom().trim();
	};
	const script = (table: ReadonlyMap<string, string>): string => {
		const shown = [...argument().replaceAll(' ', '')].map((character) => table.get(character));
		return shown.length === 0 || shown.includes(undefined) ? fail() : shown.join('');
	};
	const fraction = (): string => {
		const above = argument();
		const isSum = sum.test(above.replace(/\([^()]*\)/g, ''));
		// The spaces keep it apart from factors.
		return ` ${isSum ? `(${above})` : above}/${enclose(argument())} `;
	};
	const command = (): string => {
		const [name = ''] = /^(?:[a-z]+|.)/is.exec(source.slice(index, index + 20)) ?? [];
		index += name.length;
		const shown = symbols.get(name) ?? withArgument.get(name)?.();
		if (shown !== undefined) return shown;
		const letter = decodeEntities(`&${name};`);
		return /^\p{Script=Greek}$/u.test(letter) ? letter : fail();
	};
	const readWords = (): string => {
		const [whole, inner] = /^\{([^{}\\$]*)\}/.exec(source.slice(index)) ?? [];
		index += whole?.length ?? 0;
		return inner ?? fail();
	};
	const withArgument: ReadonlyMap<string, () => string> = new Map([
		...['frac', 'dfrac', 'tfrac'].map((name) => [name, fraction] as const),
		...textCommands.map((name) => [name, readWords] as const),
		['sqrt', () => `√${enclose(argument())}`],
		['pmod', () => ` (mod ${argument()})`],
		['mathbb', () => doubleStruck.get(argument()) ?? fail()],
	]);
	const text = sequence();
	return isSimple && text !== '' ? text : undefined;
}

function enclose(text: string): string {
	return operand.test(text) ? text : `(${text})`;
}

function tidy(text: string): string {
	const single = text.replace(/ +/g, ' ').trim();
	return single.replace(/([([]) /g, '$1').replace(/ ([)\],.;:])/g, '$1');
}
