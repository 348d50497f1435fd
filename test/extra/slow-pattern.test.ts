/** A schema whose check of an answer would not end. */
import {expect, test} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {openScene} from '../helpers/run-table.ts';

test('an answer cannot be checked against a pattern that takes hours', async () => {
	const {run} = await openScene({
		files: {'s.json': JSON.stringify({items: {pattern: '^(a+)+$'}})},
		replies: [streamReply([`["${'a'.repeat(40)}!"]`])],
	});
	const {stdout, stderr, exitCode} = await run('--json-schema s.json --schema-repairs 0 p');
	expect({stdout, exitCode}).toEqual({stdout: '', exitCode: 65});
	expect(stderr).toContain('chat: the answer cannot be checked: the ');
});
