/** A tools file: what it may hold, and where a mistake in it is. */
import {expect, test} from 'vitest';
import {createToolsFailure, parseTools} from '../../src/tools/parse-tools.ts';

function parse(content: unknown, taken: readonly string[] = []) {
	const text = typeof content === 'string' ? content : JSON.stringify(content);
	return parseTools(text, {fail: createToolsFailure('tools.json'), directory: '/home/u', taken});
}

const tool = (name: string, more: object = {}) => ({type: 'function', function: {name, ...more}});
const parameters = {type: 'object', properties: {city: {type: 'string'}}};
const command = (argv: unknown, more: object = {}) => [
	{...tool('a', {parameters}), command: argv, ...more},
];

test.each([
	['one tool', tool('clock', {strict: true}), ''],
	['an array of tools', [tool('clock', {strict: true})], '[0]'],
	['an object of tools', {tools: [tool('clock', {strict: true})]}, 'tools[0]'],
])('a file may hold %s', (_name, content, place) => {
	const definition = {name: 'clock', strict: true};
	expect(parse(content)).toEqual([{definition, place, command: undefined, environment: []}]);
});

test('the path of a program starts at the file, and its name does not', () => {
	const commandOf = (program: string) => parse(command([program, '{city}']))[0]?.command;
	expect(commandOf('./bin/a')).toEqual(['/home/u/bin/a', '{city}']);
	expect(commandOf('curl')).toEqual(['curl', '{city}']);
});

test.each<readonly [content: unknown, problem: string]>([
	['', ' is not valid JSON: line 1, column 1: unexpected end'],
	['[{]', ' is not valid JSON: line 1, column 3: expected a key'],
	['{}', ' must be an array of tools'],
	['[]', ' contains no tools'],
	['[1]', ': [0] must be an object'],
	['{"tools":{}}', ': tools must be an array of tools'],
	['{"tools":[],"model":"m"}', ': model is not known; known are tools'],
	['{"type":"other"}', ': type must be "function"'],
	['[{"type":"function"}]', ': [0].function is missing'],
	[[tool('a'), tool('b c')], ': [1].function.name must be 1 to 64'],
	[[tool('x'.repeat(65))], ': [0].function.name must be 1 to 64'],
	[[tool('a'), tool('a')], ': [1].function.name "a" is already used'],
	[[tool('theirs')], ': [0].function.name "theirs" is already used'],
	[[tool('mcp__one__echo')], ': [0].function.name must not begin with mcp__, as the tools of MCP'],
	[[tool('a', {description: 1})], ': [0].function.description must be a string, not a number'],
	[[tool('a', {parameters: []})], ': [0].function.parameters must be a JSON Schema of type "obj'],
	[[tool('a', {parameters: {type: 'array'}})], ': [0].function.parameters must be a JSON Schema'],
	[[tool('a', {strict: 'yes'})], ': [0].function.strict must be true or false'],
	[[tool('a', {paramters: {}})], ': [0].function.paramters is not known; did you mean parameters?'],
	[[{...tool('a'), comand: ['date']}], ': [0].comand is not known; did you mean command?'],
	[command([]), ': [0].command must have a program'],
	[command(['a', 1]), ': [0].command[1] must be a string, not a number'],
	[command(['']), ': [0].command[0] must be the program'],
	[command(['{city}']), ': [0].command[0] must be the program'],
	[command(['a', '{town}']), ': [0].command[1] refers to an unknown parameter: "town"'],
	[command(['a', '--city={city}']), ': [0].command[1] must be exactly {city}'],
	[command(['a'], {environment: ['A-B']}), ': [0].environment[0] is not a variable name'],
	[command(['a'], {environment: ['CHAT_API_KEY']}), ': [0].environment[0] is an API key'],
])('a mistake is found at its place: %j', (content, problem) => {
	const start = `tools.json${problem}`;
	expect(() => parse(content, ['theirs'])).toThrow(
		expect.objectContaining({
			kind: 'data',
			message: expect.stringContaining(start),
			details: {hint: expect.stringMatching(/^A tool looks like \{/)},
		}),
	);
});
