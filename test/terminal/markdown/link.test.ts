import {describe, expect, test} from 'vitest';
import {describeLink} from '../../../src/terminal/markdown/render/link.ts';
import {
	createMarkdownStreamer,
	renderMarkdown,
} from '../../../src/terminal/markdown/stream/streamer.ts';
import {plainOptions, richOptions, visible} from './sample.ts';

test.each([
	['docs', 'https://example.com/a', 'https://example.com/a'],
	['www.example.com', 'http://example.com', 'http://example.com/'],
	['Python 3.12.1 is out', 'https://www.python.org/', 'https://www.python.org/'],
	['Well… at 12:30, that is (or not).', 'https://example.com/', 'https://example.com/'],
])('a link from %s to %s is clickable', (label, href, url) => {
	expect(describeLink(label, href).url).toBe(url);
});

describe('a link is not clickable, and its address is shown', () => {
	test.each([
		['of another scheme', 'click', 'javascript:alert(1)', 'javascript:alert(1)'],
		['of a file', 'click', 'file:///etc/passwd', 'file:///etc/passwd'],
		['with a user', 'click', 'https://user@example.com/', 'https://user@example.com/'],
		['with a password', 'click', 'https://:p@example.com/', 'https://:p@example.com/'],
		[
			'in a sentence with another host',
			'Log in at bank.com now',
			'https://evil.example/',
			'https://evil.example/',
		],
		['under a lookalike', 'аpple.com', 'https://apple.com/', 'https://apple.com/'],
		[
			'under another mail address',
			'help@bank.com',
			'mailto:me@evil.example',
			'mailto:me@evil.example',
		],
		[
			'under a host before an @',
			'https://bank.com@evil.example',
			'https://evil.example/',
			'https://evil.example/',
		],
		['on another port', 'example.com', 'https://example.com:8080/', 'https://example.com:8080/'],
	])('%s', (_, label, href, address) => {
		expect(describeLink(label, href)).toEqual({url: undefined, address});
	});

	test.each([
		...['paypal\u2024com', 'paypal\ufe52com', 'paypal\u2027com', 'paypal\u00b7com'],
		...['paypal\u0701com', 'paypal .com', 'paypal\u200d.\u200dcom', 'go to mybank.zone now'],
		...['my.bank.zone/index.html', '"mybank.zone"', 'localhost', 'localhost:8080'],
		...['intranet:8080/login', '[::1]', '[::1]:8080', 'fe80::1', '192.0.2.1'],
		...['1-mybank.zone', 'help@mybank.zone', 'write to help@mybank.zone'],
	])('when it could be read as another address: %s', (label) => {
		expect(describeLink(label, 'https://evil.example/')).toEqual({
			url: undefined,
			address: 'https://evil.example/',
		});
	});

	test('under a label too long to read', () => {
		const {url} = describeLink('a '.repeat(1_100), 'https://example.com/');
		expect(url).toBeUndefined();
	});

	test('longer than 2 KiB, cut', () => {
		const {url, address} = describeLink('x', `https://example.com/${'a'.repeat(3_000)}`);
		expect(url).toBeUndefined();
		expect(address).toHaveLength(2_049);
	});

	test('with characters that would hide something, made visible', () => {
		expect(describeLink('x', '/a\u202eb\x1b[31m').address).toBe('/a⟨U+202E⟩b␛[31m');
	});
});

describe('without clickable links', () => {
	const render = (source: string, width = 80) =>
		renderMarkdown(source, {...plainOptions, width}).map(visible);

	test('addresses are numbered, and listed once below the answer', () => {
		const source =
			'See [a](https://e.example/a), [b](https://e.example/b).\n\n- [c](https://e.example/a)';
		expect(render(source)).toEqual([
			'See a ↗1, b ↗2.',
			'',
			'• c ↗1',
			'',
			'↗1 https://e.example/a',
			'↗2 https://e.example/b',
		]);
	});

	test('an address that is the label is shown once', () => {
		expect(render('https://example.com/a')).toHaveLength(1);
		expect(render('[example.com/a](https://example.com/a)')).toHaveLength(1);
	});

	test('an address that the label hides stands beside it', () => {
		expect(render('[bank.com](https://evil.example/) [a](./b.md)')).toEqual([
			'bank.com (https://evil.example/) a (./b.md)',
		]);
	});

	test('numbers are not spent on text that is not final', () => {
		const streamer = createMarkdownStreamer(plainOptions);
		const rows = [...'[a](https://a.example/x) [b](https://b.example/y)'].flatMap((character) => {
			const final = streamer.push(character);
			streamer.tail(5);
			return final;
		});
		expect(streamer.tail(5).map(visible)).toEqual(['a ↗1 b ↗2']);
		rows.push(...streamer.end());
		expect(rows.map(visible)).toEqual([
			'a ↗1 b ↗2',
			'',
			'↗1 https://a.example/x',
			'↗2 https://b.example/y',
		]);
	});
});

test('entities add no scheme and no sequence to a link', () => {
	const source = '[a](java&#115;cript:alert(1)) [b](https://e.example/&#27;]8;;x&#7;)';
	const [row = ''] = renderMarkdown(source, richOptions);
	expect(row).not.toContain(']8;;javascript');
	expect(row).not.toContain('\x1b]8;;x');
});
