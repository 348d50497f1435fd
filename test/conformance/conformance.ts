/** One test for each scenario of a revision of the protocol. */
import {expect, test} from 'vitest';
import {playScenario} from './conformance-client.ts';
import {judge} from './referee.ts';

/** The checks that cannot pass, by scenario. Each is a fault of the scenario. */
const faults: Readonly<Record<string, readonly string[]>> = {
	// It calls with null for an argument whose schema permits only a boolean.
	'http-custom-headers': ['sep-2243-client-omit-null'],
};

export function testScenarios(revision: string, scenarios: readonly string[]): void {
	test.each(scenarios)('%s', async (scenario) => {
		const checks = await judge(scenario, revision, (task) => playScenario(scenario, task));
		const failed = checks.filter(({status}) => status === 'FAILURE' || status === 'WARNING');
		const excused = faults[scenario] ?? [];
		expect(failed.filter(({id}) => !excused.includes(id))).toEqual([]);
		expect(failed.map(({id}) => id)).toEqual(excused);
		expect(checks.map(({status}) => status)).toContain('SUCCESS');
	});
}
