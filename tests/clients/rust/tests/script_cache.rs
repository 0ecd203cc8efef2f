//! SCRIPT FLUSH, alone: redis-rs loads a script again once, and other tests use scripts too.

use mortise_clients::Lock;

#[test]
fn scripts_are_loaded_again_after_a_flush() {
    let mut mine = Lock::new(b"lock:flushed", b"mine");
    for _ in 0..3 {
        assert!(mine.try_acquire(30_000));
        assert!(mine.renew(30_000));
        mine.flush_scripts();
        assert!(!mine.renewal_is_known());
        assert!(mine.renew(40_000));
        mine.flush_scripts();
        assert!(mine.release());
    }
}
