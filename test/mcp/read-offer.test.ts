/** Reading an offer: items kept, and items left out. */
import {expect, test} from 'vitest';
import {type AskForPage, readOffer} from '../../src/mcp/read-offer.ts';

const echo = {name: 'echo', inputSchema: {type: 'object'}};

/** Reads the tools of a server that answers like this. */
async function read(ask: AskForPage, isHttp = true) {
	const reports: string[] = [];
	const {tools} = await readOffer({tools: {}}, ask, (line) => reports.push(line), isHttp);
	return {names: tools.map(({name}) => name), reports};
}

function nest(depth: number): unknown {
	return JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
}

test.each([
	[{name: 7}, 'a tool, whose definition is not valid'],
	[null, 'a tool, whose definition is not valid'],
	[{...echo, name: 'a', more: nest(2000)}, 'the tool a, whose definition is not valid'],
	[{...echo, name: 'a', description: 'x'.repeat(65_536)}, 'the tool a, which is too long'],
	[
		{...echo, name: 'a', execution: {taskSupport: 'required'}},
		'the tool a, which runs only as a task',
	],
	[echo, 'a second tool echo'],
])(
	'an item that cannot be used is left out, and the others are not (case %#)',
	async (item, fault) => {
		expect(await read(async () => ({tools: [echo, item]}))).toEqual({
			names: ['echo'],
			reports: [`left out: ${fault}`],
		});
	},
);

const header = (name: unknown, type = 'string') => ({type, 'x-mcp-header': name});
const problem = 'left out: the tool a, which asks for a header that is not valid (x-mcp-header)';

test.each([
	[
		{properties: {a: header('A'), b: {type: 'object', properties: {c: header('C', 'integer')}}}},
		true,
	],
	[{properties: {'x-mcp-header': {type: 'string', default: {'x-mcp-header': 1}}}}, true],
	[{properties: {a: header(1)}}, false],
	[{properties: {a: header('A\r\nB: c')}}, false],
	[{properties: {a: header('A', 'number')}}, false],
	[{properties: {a: header('A'), b: header('a')}}, false],
	[{properties: {a: {type: 'array', items: header('A')}}}, false],
	[{anyOf: [{properties: {a: header('A')}}]}, false],
])('arguments that go into headers count over HTTP alone: %j', async (schema, isValid) => {
	const tool = {name: 'a', inputSchema: {...schema, type: 'object'}};
	const ask = async () => ({tools: [tool]});
	expect((await read(ask)).reports).toEqual(isValid ? [] : [problem]);
	expect((await read(ask, false)).names).toEqual(['a']);
});

test('a list is read page by page, sorted, up to a hundred pages and a thousand items', async () => {
	const cursors: unknown[] = [];
	const endless = await read(async (_, cursor) => {
		const number = 1000 - cursors.push(cursor);
		return {tools: [{...echo, name: `t${number}`}], nextCursor: `${number}`};
	});
	expect(endless.names).toHaveLength(100);
	expect(endless.names).toEqual(endless.names.toSorted());
	expect(cursors.slice(0, 3)).toEqual([undefined, '999', '998']);
	expect(endless.reports).toEqual(['left out: every tool after 100 pages']);
	const tools = Array.from({length: 1001}, (_, index) => ({...echo, name: `t${index}`}));
	const many = await read(async () => ({tools}));
	expect(many.names).toHaveLength(1000);
	expect(many.reports).toEqual(['left out: the tool t1000: there are too many']);
});

test('a page that comes again ends a list, and a text is none', async () => {
	const again = await read(async () => ({tools: [echo], nextCursor: 'again'}));
	expect(again).toEqual({names: ['echo'], reports: ['left out: a second tool echo']});
	expect(await read(async () => ({tools: 'none'}))).toEqual({
		names: [],
		reports: ['tools/list was not answered with tools'],
	});
});
