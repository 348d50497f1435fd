/** Conversations of other programs, from their own logs. */
import {expect, test} from 'vitest';
import {foreignLogs, otherLogs, textOfLog} from '../fixtures/foreign-logs.ts';
import {linesOf, openStage} from '../helpers/import-stage.ts';

test.each([...foreignLogs, ...otherLogs].map((log) => [log.what, log] as const))(
	'%s is recognised by its content, and imported once',
	async (_what, log) => {
		const stage = openStage();
		const {sessions, stderr} = await stage.import(textOfLog(log), log.path);
		const [session] = sessions;
		expect(session, stderr).toMatchObject({source: log.source, title: log.title});
		const stored = stage.read(session?.id ?? '');
		const lines = linesOf(stored).map((line) => line.replace(/^branch .*/, 'branch'));
		expect(lines).toEqual(log.lines);
		expect(/not taken: (.*)/.exec(stderr)?.[1]).toBe(log.omitted);
		const again = await stage.import(textOfLog(log), log.path);
		expect(again.sessions).toEqual([]);
		expect(again.stderr).toContain('1 already there');
	},
);
