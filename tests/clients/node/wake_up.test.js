'use strict';
// How long after the release the waiter has the lock. Runs alone, as it measures time.

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');
const { acquireByWakeup, Lock, scripts } = require('./lock_by_hand.js');
const { shareServer } = require('./shared_server.js');

const { connect } = shareServer({ scripts });

test('a waiter is woken by the release', async () => {
  const client = connect();
  const subscriber = connect();
  const delays = [];
  for (let round = 0; round < 9; round++) {
    const holder = new Lock(client, 'lock:order', 30000);
    const waiter = new Lock(connect(), 'lock:order', 30000);
    assert.ok(await holder.tryAcquire());
    const acquired = acquireByWakeup(waiter, subscriber, 10000).then(() => Date.now());
    await sleep(50);
    const begin = Date.now();
    assert.equal(await holder.release(), 1);
    delays.push((await acquired) - begin);
    assert.equal(await waiter.release(), 1);
  }
  delays.sort((a, b) => a - b);
  assert.ok(delays[4] <= 50, `median ${delays[4]} ms of ${delays}`);
});
