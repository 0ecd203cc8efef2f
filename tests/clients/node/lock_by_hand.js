'use strict';
// A lock as applications write it on ioredis: SET NX PX, a custom command for the release, a
// subscription that wakes the waiter.

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { once } = require('node:events');

const scripts = {
  release: {
    numberOfKeys: 1,
    lua: `if redis.call('get', KEYS[1]) == ARGV[1] then
            redis.call('del', KEYS[1])
            redis.call('publish', 'released:' .. KEYS[1], ARGV[1])
            return 1
          end
          return 0`,
  },
  renew: {
    numberOfKeys: 1,
    lua: `return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('pexpire', KEYS[1], ARGV[2])`,
  },
};

class Lock {
  constructor(connection, name, leaseMs) {
    Object.assign(this, { connection, name, leaseMs, token: randomUUID() });
  }
  async tryAcquire() {
    const reply = await this.connection.set(this.name, this.token, 'PX', this.leaseMs, 'NX');
    assert.ok(reply === 'OK' || reply === null);
    return reply === 'OK';
  }
  release() {
    return this.connection.release(this.name, this.token);
  }
}

// Subscribes first and then tries, so that no release is missed.
async function acquireByWakeup(lock, subscriber, timeoutMs) {
  await subscriber.subscribe(`released:${lock.name}`);
  for (;;) {
    const woken = once(subscriber, 'message', { signal: AbortSignal.timeout(timeoutMs) });
    woken.catch(() => {});
    if (await lock.tryAcquire()) break;
    await woken;
  }
  await subscriber.unsubscribe(`released:${lock.name}`);
}

module.exports = { acquireByWakeup, Lock, scripts };
