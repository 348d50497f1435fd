import {describe, expect, test} from 'vitest';
import {writeMath} from '../../../src/terminal/markdown/render/math.ts';

describe('a simple formula is written in Unicode', () => {
	test.each([
		['$x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$', 'x = (-b ± √(b² - 4ac))/(2a)'],
		['\\(\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}\\)', '∑ᵢ₌₁ⁿ i = n(n+1)/2'],
		['\\[\n\\int f(x)\\,dx \\approx \\infty\n\\]', '∫ f(x) dx ≈ ∞'],
		['$\\left( \\frac{1}{2} \\right)^n$', '(1/2)ⁿ'],
		['$a \\text{ if } b \\bmod 2$', 'a if b mod 2'],
		["$f'$", 'f′'],
	])('%s', (raw, shown) => {
		expect(writeMath(raw)).toBe(shown);
	});

	test.each([
		['a product below the line', '$\\frac{1}{2a}$', '1/(2a)'],
		['a root below the line', '$\\frac{1}{\\sqrt{2\\pi}}$', '1/√(2π)'],
	])('without another meaning: %s', (_, raw, shown) => {
		expect(writeMath(raw)).toBe(shown);
	});
});

test.each([
	['a character without a small form', '$e^{i\\pi}$'],
	['a name of JavaScript', '$\\constructor$'],
	['lines', '$$a \\\\ b$$'],
	['a root of another degree', '$\\sqrt[3]{x}$'],
	['a group without an end', '$\\frac{a}{b$'],
	['groups nested too deep', `$${'{'.repeat(9)}a${'}'.repeat(9)}$`],
	['nested groups without end', `$${'{'.repeat(1_000)}$`],
])('a formula stays as it is written with %s', (_, raw) => {
	expect(writeMath(raw)).toBeUndefined();
});

test.each(['$5 or 10$', '$HOME/bin:$', '$FOO_BAR$', '$FOO=$', '$(ls)/$', '$ab$', '$5/mo to 10$'])(
	'prices and names of a shell are not formulas: %s',
	(raw) => {
		expect(writeMath(raw)).toBeUndefined();
	},
);
