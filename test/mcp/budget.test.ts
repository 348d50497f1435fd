/** The notice about tools that take a large part of each request. */
import {expect, test} from 'vitest';
import {lineHint, replHint} from '../../src/hint.ts';
import {describeBudget} from '../../src/mcp/budget.ts';

const tools = (count: number, length: number) =>
	Array.from({length: count}, (_, index) => ({
		definition: {name: `tool${index}`, description: 'x'.repeat(length)},
	}));
const window = (tokens: number | undefined) => async () => tokens;
const never = async () => {
	throw new Error('the window is looked up');
};

test('is missing for few tools, without a look at the window for short ones', async () => {
	expect(await describeBudget(tools(40, 100), 3, never)).toBeUndefined();
	expect(await describeBudget(tools(10, 4900), 3, window(128_000))).toBeUndefined();
	expect(await describeBudget(tools(10, 9000), 3, window(undefined))).toBeUndefined();
});

test('counts tools, estimates their tokens, and says where tools are chosen', async () => {
	const many = await describeBudget(tools(112, 1070), 3, window(undefined));
	expect(many?.message).toBe('3 servers bring 112 tools, about 31,000 tokens a request');
	const long = await describeBudget(tools(1, 60_000), 1, window(128_000));
	expect(long?.message).toBe('1 server brings 1 tool, about 15,000 tokens a request');
	expect(lineHint(long?.hint ?? '')).toContain('includeTools');
	expect(replHint(long?.hint ?? '')).toContain('/mcp');
});
